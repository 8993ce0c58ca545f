/*
 * What a shard leaves for `heddle merge`: the field `shard.data` of its --json report (docs/FORMATS.md).
 */
#ifndef HEDDLE_CLI_MANY_SHARD_FILE_H
#define HEDDLE_CLI_MANY_SHARD_FILE_H

#include "base/ptrmap.h"
#include "engine/session.h"
#include "report/report.h"
#include "verdict/result.h"

/* Fills r->shard.data, and notes that the result is one of several.  0, or -1: out of memory. */
MUST_CHECK int shard_file_make(struct result *r, const struct report_info *info, const struct config *config);

/* --known: takes what the reports of shards know about the program.  RUN_OK, or ERROR_USAGE. */
MUST_CHECK int shard_file_known(struct session *s);

/* A shard, read from a report that is not trusted. */
struct shard_file {
        struct result_shard shard; /* without data */
        char *info[6];             /* of the report_info: version, program, strategy, memory, preempt, replay_hint */
        uint32_t flags;            /* ... keep_going, timeouts, races: bits 0 to 2 */
        uint32_t leaks, ignored;   /* of the config */
        struct stream result;      /* as result_save() writes it */
        struct stream facts;       /* what is known of the program */
        struct stream findings;    /* of each failure: how it was minimised, and races in it */
        struct stream names;       /* of addresses, in lines of words */
};

/* 0, or -1 with a reason. */
MUST_CHECK int shard_file_read(struct shard_file *f, const char *path, struct error *why);
void shard_file_fini(struct shard_file *f);

/* The parts of a result that the stream of result_save() does not have.  facts: before result_merge(); the others: after it.
 * 0, or -1: they are malformed, or out of memory. */
MUST_CHECK int shard_file_facts(struct shard_file *f, struct result *r);
MUST_CHECK int shard_file_details(struct shard_file *f, struct result *r);
/* known: names that were read already; each place is read once. */
MUST_CHECK int shard_file_names(struct shard_file *f, struct symbols *names, struct ptrmap *known);

#endif
