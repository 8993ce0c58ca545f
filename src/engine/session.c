/* The life of a session: its parts begin and end in one order. */
#include "engine/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "engine/plain_words.h"
#include "program/start.h"

/* What helps to repeat a fault of heddle. */
static void describe(FILE *out, const void *arg)
{
        const struct session *s = arg;
        const struct trace *t = &s->run.trace;
        char *text = t->n_events ? program_text(&s->program, t, t->n_events, WIRE_NO_ACTOR, false) : NULL;

        fprintf(out, "  program %s\n  seed %llu, execution %llu\n  schedule %s\n", s->config->program,
                (unsigned long long)s->config->seed, (unsigned long long)s->result->stats.executions,
                text ? text : "none yet");
        free(text);
}

int session_init(struct session *s, const struct config *config, struct result *r, struct error *why)
{
        int e;

        memset(s, 0, sizeof *s);
        s->config = config;
        s->result = r;
        s->why = why;
        progress_init(&s->progress);
        fault_describe(describe, s);
        e = program_init(&s->program, config, &r->facts, why);
        run_init(&s->run, &s->program, &r->stats);
        if (e == RUN_OK)
                e = judge_init(&s->judge, &s->run, r);
        if (e == RUN_OK)
                e = program_start(&s->program);
        return e == RUN_OK ? plain_words_find(&s->run) : e;
}

void session_fini(struct session *s)
{
        fault_describe(NULL, NULL);
        program_take_labels(&s->program);
        if (s->matching.kept)
                s->matching.kept->ops->destroy(s->matching.kept);
        if (s->strategy)
                s->strategy->ops->destroy(s->strategy);
        judge_fini(&s->judge);
        run_fini(&s->run);
        program_fini(&s->program);
        progress_fini(&s->progress);
}
