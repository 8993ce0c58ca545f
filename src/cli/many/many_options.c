/* Options whose values are checked together. */
#include "cli/many/many_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/status.h"

#define MAX_SHARDS 10000u

static int choose_store(struct options *o)
{
        struct config *config = &o->config;
        struct list words = {0};

        if ((o->spool != NULL) + (o->cluster != NULL) + (o->shard != NULL) > 1)
                return status_usage("--shard, --spool and --cluster exclude each other; give one of them");
        if (o->cluster && strncmp(o->cluster, "redis://", 8) != 0 && strncmp(o->cluster, "rediss://", 9) != 0)
                return status_usage("--cluster %s: give redis://[USER:PASSWORD@]HOST[:PORT]/NAME", o->cluster);
        config->store = o->spool ? o->spool : o->cluster;
        options_part(o, &words);
        config->words = words.words;
        config->n_words = (uint32_t)words.n;
        return 0;
}

int many_options(struct options *o)
{
        struct config *config = &o->config;
        const char *text = o->shard;
        char rest;

        config->known = (const char *const *)o->known.words;
        config->n_known = (uint32_t)o->known.n;
        if (!text && config->n_known)
                return status_usage("--known is for --shard; leave it out");
        if (text && (strspn(text, "0123456789/") != strlen(text) ||
                     sscanf(text, "%7u/%7u%c", &config->shard, &config->shards, &rest) != 2 || !config->shard ||
                     config->shard > config->shards || config->shards > MAX_SHARDS))
                return status_usage("--shard %s: give a number and how many shards there are, such as 1/4 (at most %u)",
                                    text, MAX_SHARDS);
        return choose_store(o);
}
