/*
 * `heddle worker`.  The options of the search come from the store: they are read as if they had been given on the command line.  Program,
 * arguments and environment must be those of the coordinator.
 */
#include "cli/many/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "engine/loop.h"
#include "parallel/store/jobstore_open.h"
#include "parallel/remote_format.h"
#include "parallel/remote_worker.h"

#define MAX_WORDS 1024u
#define MAX_WORD  65536u

/* The head of the search, as soon as there is one.  1, 0: interrupted, or it is over, -1: the store says why. */
static int wait_for_head(struct jobstore *store, struct stream *body)
{
        bool said = false;
        int e;

        while ((e = store->ops->get(store, BLOB_HEAD, body)) == 0 && !loop_interrupted) {
                if (remote_over(store)) {
                        fputs("heddle: the search is over\n", stderr);
                        return 0;
                }
                if (!said)
                        fputs("heddle: waiting for a search to begin\n", stderr);
                said = true;
                jobstore_nap(0.2);
        }
        return loop_interrupted ? 0 : e;
}

/* The options of the search.  0, or STATUS_USAGE. */
static int read_words(struct stream *body, struct list *words)
{
        struct remote_head head;
        uint32_t n;

        if (!jobstore_unseal(body, NULL, BLOB_HEAD, 0))
                return status_usage("the search is damaged, or of another version of heddle");
        stream_get(body, &head, sizeof head);
        if (body->failed || head.version != REMOTE_VERSION)
                return status_usage("the search is of another version of heddle");
        free(stream_get_text(body, MAX_WORD));
        n = stream_get_max(body, MAX_WORDS);
        for (uint32_t i = 0; i < n; i++) {
                char *word = stream_get_text(body, MAX_WORD);

                if (!word)
                        return status_usage("the search is damaged: its options cannot be read");
                if (!strncmp(word, "--ops", 5)) /* a worker does not run what a store names */
                        return status_usage("the search has --ops, which workers do not support");
                list_addf(words, "%s", word);
                free(word);
        }
        return stream_done(body) ? 0 : status_usage("the search is damaged: its options cannot be read");
}

static int take_part(const struct config *config, struct jobstore *store)
{
        struct result result = {.stats = {.complete = true}};
        struct error why = {""};
        struct session s;
        int e = session_init(&s, config, &result, &why);

        if (e == RUN_OK)
                e = loop_begin(&s);
        if (e == RUN_OK)
                e = remote_check(&s, store);
        if (e == RUN_OK)
                e = remote_work(&s, store);
        session_fini(&s);
        result_fini(&result);
        if (e < 0)
                return e == ERROR_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text);
        return STATUS_SAFE;
}

int worker_command(char **argv)
{
        const char *url = argv[0];
        struct stream body = STREAM_INIT;
        struct list words = {0};
        struct command command;
        struct error why = {""};
        struct jobstore *store;
        int e;

        if (url && (!strcmp(url, "--help") || !strcmp(url, "-h")))
                return help_command(stdout, "worker", false);
        if (!url || url[0] == '-' || !argv[1] || (!strcmp(argv[1], "--") && !argv[2]))
                return status_usage("name the search and the program: heddle worker URL -- PROGRAM ARG...");
        temp_watch_signals();
        store = jobstore_open(url, &why);
        if (!store)
                return status_usage("%s", why.text);
        e = wait_for_head(store, &body);
        if (e <= 0)
                return e ? status_usage("%s", store->why.text) : STATUS_SAFE;
        e = read_words(&body, &words);
        stream_fini(&body);
        if (e)
                return e;
        list_addf(&words, "--%s=%s", strncmp(url, "redis", 5) ? "spool" : "cluster", url);
        list_add(&words, "--");
        for (char **w = argv + 1 + !strcmp(argv[1], "--"); *w; w++)
                list_add(&words, *w);
        e = command_parse(&command, OPTIONS_CHECK, words.words);
        if (!e)
                e = command_prepare(&command, OPTIONS_CHECK);
        if (!e)
                e = take_part(&command.options.config, store);
        store->ops->close(store);
        return e;
}
