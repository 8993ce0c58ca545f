/*
 * Running one schedule, whatever happens to the target on the way.
 *
 * A target that dies is started again and the schedule run once more; only when it dies every time, it is the program's
 * doing.  A pool of threads that is too small, or a snapshot that cannot hold what the program did, costs a restart.
 */
#include "engine/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "program/assembly.h"
#include "target/plugin_check.h"
#include "target/restore_check.h"
#include "target/plugin.h"
#include "program/preemption_points.h"
#include "base/fault.h"
#include "target/build_fingerprint.h"
#include "verdict/race_table.h"
#include "program/invariants.h"
#include "strategy/registry.h"
#include "trace/schedule.h"

#define TRIES      3  /* of a schedule whose target dies */
#define MOVES      16 /* of a target whose addresses stay random */
#define FIRST_POOL 8u /* threads */

char *session_text(const struct session *s, const struct trace *t, uint32_t n_events, uint32_t last, bool fails)
{
        struct schedule_head head = {.fingerprint = s->fingerprint,
                                     .memory = s->config->memory,
                                     .posix_fences = s->config->posix_fences,
                                     .fails = fails};

        return schedule_encode(t, n_events, last, &head);
}

/* What helps to repeat a fault of heddle. */
static void describe(FILE *out, const void *arg)
{
        const struct session *s = arg;
        char *text = s->trace.n_events ? session_text(s, &s->trace, s->trace.n_events, WIRE_NO_ACTOR, false) : NULL;

        fprintf(out, "  program %s\n  seed %llu, execution %llu\n  schedule %s\n", s->config->program,
                (unsigned long long)s->config->seed, (unsigned long long)s->result->stats.executions,
                text ? text : "none yet");
        free(text);
}

static int fail(struct session *s, int status, const char *text)
{
        snprintf(s->why, 512, "%s", text);
        return status;
}

static int find_observed(struct session *s)
{
        struct result *r = s->result;

        for (uint32_t i = 0; i < s->config->n_observe; i++) {
                struct observed *more = NULL, *all;
                uint32_t n = 0;
                char why[256];

                if (symbols_observe(s->symbols, s->config->observe[i], &more, &n, why))
                        return fail(s, SESSION_USAGE, why);
                all = realloc(r->observed, (r->n_observed + n) * sizeof *all);
                if (!all)
                        return fail(s, SESSION_FAIL, "out of memory");
                memcpy(all + r->n_observed, more, n * sizeof *all);
                free(more);
                r->observed = all;
                r->n_observed += n;
        }
        if (r->n_observed > WIRE_MAX_CELLS)
                return fail(s, SESSION_USAGE, "--observe: too many values; at most 4096 can be observed");
        for (uint32_t i = 0; i < r->n_observed; i++)
                s->target.down->cells[i] = (struct wire_cell){.addr = r->observed[i].addr, .size = r->observed[i].size};
        s->target.down->n_cells = r->n_observed;
        return SESSION_OK;
}

/* What must be known of the program before main runs. */
static int know_program(struct session *s)
{
        const struct wire_up *up = s->target.up;
        struct result *r = s->result;
        uint32_t n = up->n_modules <= WIRE_MAX_MODULES ? up->n_modules : WIRE_MAX_MODULES;
        int e;

        r->modules = malloc((n + 1) * sizeof *r->modules);
        if (!r->modules)
                return fail(s, SESSION_FAIL, "out of memory");
        memcpy(r->modules, up->modules, n * sizeof *r->modules);
        for (uint32_t i = 0; i < n; i++)
                r->modules[i].path[sizeof r->modules[i].path - 1] = 0;
        r->n_modules = n;
        s->symbols = symbols_create(r->modules, n);
        if (!s->symbols)
                return fail(s, SESSION_FAIL, "out of memory");
        e = points_find(s);
        if (e == SESSION_OK)
                e = assembly_find(s);
        if (e == SESSION_OK)
                e = watch_find(s);
        return e == SESSION_OK ? find_observed(s) : e;
}

/* How the program is run here, for --verbose. */
static void note_world(const struct session *s)
{
        const struct target *t = &s->target;

        log_note("executions are undone by %s (--isolate)",
                 t->isolate == WIRE_ISOLATE_FORK ? "a child process each" : "a snapshot in the same process");
        log_note(t->aslr ? "addresses stay random: personality() is not permitted here"
                         : "the randomisation of addresses is switched off");
}

/* Are executions that come back to an earlier state looked for?  Not where more counts than the state (preemptions that are
 * left, races, classes), where it is a part of what is asked for, or is not known (store buffers); nor where a search is shared
 * or stored. */
static uint32_t session_cycles(const struct config *c)
{
        if (!strategy_can(c->strategy, STRATEGY_CYCLES) || c->bounded || c->fair || c->memory != WIRE_MEMORY_SC ||
            c->preempt == WIRE_PREEMPT_RACES || c->fail_on == FAIL_ON_RACE || c->count_classes || c->capture ||
            c->jobs > 1 || c->save || c->resume || c->replay)
                return WIRE_CYCLES_NEVER;
        return WIRE_CYCLES_SOME;
}

int session_init(struct session *s, const struct config *config, struct result *r, char *why)
{
        struct wire_down *d;
        int e;

        memset(s, 0, sizeof *s);
        s->config = config;
        s->result = r;
        s->why = why;
        s->started = clock_now();
        fault_describe(describe, s);
        s->fingerprint = identity_of(config->program);
        races_init(s);
        e = target_init(&s->target, config);
        if (e != TARGET_OK)
                return fail(s, e == TARGET_INTR ? SESSION_INTR : SESSION_FAIL, s->target.why);
        if (plugin_attach(config, s->target.down, s->target.up))
                return fail(s, SESSION_FAIL, "out of memory");
        s->target.pool = FIRST_POOL;
        s->target.blocks = config->preempt != WIRE_PREEMPT_ALL;
        s->target.isolate = config->isolate == ISOLATE_FORK ? WIRE_ISOLATE_FORK : WIRE_ISOLATE_SNAPSHOT;
        r->forked = config->isolate == ISOLATE_FORK;
        r->instrumented = config->instrumented;
        d = s->target.down;
        d->depth = config->depth;
        d->thread_depth = config->thread_depth;
        d->fair = config->fair;
        d->cycles = session_cycles(config);
        d->fail_malloc = config->fail_malloc;
        d->heap_checks = config->heap_checks == HEAP_CHECKS_ON;
        d->leaks = config->leaks == LEAKS_ALL || (config->leaks == LEAKS_SOME && !config->replay);
        d->n_names = 1;
        s->schedule.prefix = d->prefix;
        s->schedule.sleep = d->sleep;
        s->schedule.footprint = d->footprint;
        e = target_start(&s->target);
        if (e != TARGET_OK)
                return fail(s, e == TARGET_INTR ? SESSION_INTR : SESSION_USAGE, s->target.why);
        note_world(s);
        return know_program(s);
}

void session_fini(struct session *s)
{
        fault_describe(NULL, NULL);
        plugin_detach();
        target_fini(&s->target);
        symbols_destroy(s->symbols);
        estimate_fini(&s->estimate);
        classes_fini(&s->classes);
        stream_fini(&s->shared);
        races_fini(s);
        free(s->diverged);
}

/* What the verdict takes for granted. */
static void take_assumed(struct result *r, const struct wire_up *up)
{
        uint32_t n = up->n_assumed;

        r->unfiltered = up->unfiltered != 0;
        r->n_assumed = n < WIRE_MAX_ASSUMED ? n : WIRE_MAX_ASSUMED;
        memcpy(r->assumed, up->assumed, sizeof r->assumed);
        for (uint32_t i = 0; i < r->n_assumed; i++)
                r->assumed[i][WIRE_ASSUMED_TEXT - 1] = 0;
}

void session_labels(struct session *s)
{
        const struct wire_up *up = s->target.up;
        struct result *r = s->result;
        uint32_t n = up ? up->n_labels : 0;

        if (up)
                take_assumed(r, up);
        if (!n || n > WIRE_MAX_LABELS || r->labels)
                return;
        r->labels = malloc(n * sizeof *r->labels);
        if (!r->labels)
                return;
        memcpy(r->labels, up->labels, n * sizeof *r->labels);
        for (uint32_t i = 0; i < n; i++)
                r->labels[i].name[sizeof r->labels[i].name - 1] = 0;
        r->n_labels = n;
}

/* What the target found out and must not forget: names of threads, shared memory.  1: more is shared than before. */
static int take_knowledge(struct session *s)
{
        struct wire_down *d = s->target.down;
        const struct wire_up *up = s->target.up;
        uint32_t names = up->n_names, shared = up->n_new_shared;
        bool named = s->names_matter && names > d->n_names;
        uint32_t buffers = up->n_buffers < WIRE_MAX_THREADS ? up->n_buffers : WIRE_MAX_THREADS;

        for (; d->n_buffers < buffers; named = true, d->n_buffers++) /* stores to there were not delayed in this run */
                d->buffers[d->n_buffers] = up->buffers[d->n_buffers];

        for (; d->n_names < names && d->n_names < WIRE_MAX_THREADS; d->n_names++)
                d->names[d->n_names] = up->names[d->n_names];
        if (shared > WIRE_MAX_SHARED - d->n_shared)
                return fail(s, SESSION_FAIL, "the program shares too much memory: more than a million words");
        memcpy(&d->shared[d->n_shared], up->new_shared, shared * sizeof *d->shared);
        d->n_shared += shared;
        return shared > 0 || named;
}

void session_write(struct session *s, uint32_t flags)
{
        struct wire_down *d = s->target.down;
        const struct schedule *m = &s->schedule;

        d->command = WIRE_RUN;
        d->flags = m->flags | flags | (d->cycles == WIRE_CYCLES_ALL ? WIRE_WANT_ENABLED : 0) |
                   (s->config->keep_going || s->config->ignored ? WIRE_KEEP_GOING : 0) |
                   (s->config->check_restore ? WIRE_FINGERPRINT : 0);
        d->n_prefix = m->n_prefix;
        d->n_hints = m->n_hints;
        d->n_sleep = m->n_sleep;
        d->n_last = m->n_last;
        d->tail = s->config->fair && (m->tail == WIRE_TAIL_RUN_TO_BLOCK || m->tail == WIRE_TAIL_STAY)
                          ? WIRE_TAIL_ROUND_ROBIN
                          : m->tail;
        d->tail_depth = m->tail_depth;
        d->tail_steps = m->tail_steps;
        d->run_seed = m->run_seed;
        d->n_weights = 0;
        if (m->tail == WIRE_TAIL_FOCUS && m->n_weights) {
                d->focus = m->focus;
                d->n_weights = m->n_weights;
                memcpy(d->weights, m->weights, m->n_weights * sizeof *d->weights);
        }
        points_write(s);
}

/* The program did what the snapshot cannot undo: from now on it runs in children, and all over again. */
static int fork_instead(struct session *s)
{
        struct result *r = s->result;
        char reason[WIRE_TEXT];

        snprintf(reason, sizeof reason, "%.*s", (int)sizeof reason - 1, s->target.up->restore_text);
        target_stop(&s->target);
        if (s->config->isolate == ISOLATE_SNAPSHOT) {
                snprintf(s->why, 512, "%s, which a snapshot cannot undo; use --isolate auto or fork", reason);
                return SESSION_USAGE;
        }
        s->target.isolate = WIRE_ISOLATE_FORK;
        r->forked = true;
        s->doubtful = true;
        log_note("%s, which a snapshot cannot undo: restarted with a child process for each execution", reason);
        snprintf(r->isolation, sizeof r->isolation, "%s", reason);
        return SESSION_GREW;
}

/* A run that reached an end by itself; ends that need another try are handled here. */
static int settle(struct session *s, uint32_t known, bool *again)
{
        const struct wire_up *up = s->target.up;
        const char *why = NULL;

        *again = false;
        /* Nothing is believed, not even what shall survive this target, before it makes sense. */
        if (trace_check(&s->trace, up, up->n_new_shared ? 0 : known, &why)) {
                snprintf(s->target.why, sizeof s->target.why, "overwrote its trace (%s)", why);
                target_stop(&s->target);
                return SESSION_DIED;
        }
        int grew = take_knowledge(s);
        if (grew < 0)
                return grew;
        if (up->end == WIRE_END_MORE_THREADS) {
                uint32_t need = up->step < WIRE_MAX_THREADS ? up->step : WIRE_MAX_THREADS - 1;
                log_note("the program has more than %u threads: restarted with room for more", s->target.pool);
                s->target.pool = need > s->target.pool * 2 ? need : s->target.pool * 2;
                if (s->target.pool >= WIRE_MAX_THREADS)
                        s->target.pool = WIRE_MAX_THREADS - 1;
                target_stop(&s->target);
                *again = s->config->memory == WIRE_MEMORY_SC;
                return *again ? SESSION_OK : SESSION_GREW; /* store buffers are numbered behind the threads */
        }
        if (up->end == WIRE_END_MORE_STACK) {
                log_note("a thread asks for a stack of %u KiB: restarted with such stacks", up->step);
                s->target.down->stack_kb = up->step;
                target_stop(&s->target);
                *again = true;
                return SESSION_OK;
        }
        if (up->overruled)
                log_note("the spin detector was overruled by the schedule");
        if (!up->restorable && s->target.isolate == WIRE_ISOLATE_SNAPSHOT)
                return fork_instead(s);
        if (up->unfiltered && !s->result->forked && !s->result->isolation[0]) {
                snprintf(s->result->isolation, sizeof s->result->isolation,
                         "seccomp is not permitted here: the whole state is restored every time");
                log_note("%s", s->result->isolation);
        }
        if (s->trace.end == WIRE_END_UNSUPPORTED) {
                snprintf(s->why, 512, "the program uses %s, which heddle does not model yet", s->trace.text);
                return SESSION_USAGE;
        }
        if (s->trace.end == WIRE_END_MISUSE)
                return watch_misused(s);
        if (s->trace.end == WIRE_END_PLUGIN)
                return fail(s, SESSION_USAGE, s->trace.text);
        if (s->trace.end == WIRE_END_FAULT)
                return fail(s, SESSION_FAIL, s->trace.text);
        if (s->config->check_restore && fidelity_check(s) != SESSION_OK)
                return SESSION_FAIL;
        if (s->config->check_ops && checkops_look(&s->trace, s->why))
                return SESSION_USAGE;
        return grew ? SESSION_GREW : SESSION_OK;
}

/* Where addresses stay random, a target that is started again has everything at another place: what is known by address is
 * forgotten and found anew, and the exploration begins again.  SESSION_GREW, or why not. */
static int moved(struct session *s)
{
        struct result *r = s->result;
        int e;

        if (++s->moves > MOVES)
                return fail(s, SESSION_FAIL,
                            "the program had to be restarted too often, each time at other addresses: "
                            "personality() is not permitted here; allow it");
        e = target_start(&s->target);
        if (e != TARGET_OK)
                return fail(s, e == TARGET_INTR ? SESSION_INTR : SESSION_FAIL, s->target.why);
        s->doubtful = true;
        s->target.down->n_shared = 0;
        symbols_destroy(s->symbols);
        s->symbols = NULL;
        for (uint32_t i = 0; i < r->n_observed; i++)
                free(r->observed[i].name);
        r->n_observed = 0;
        free(r->modules);
        r->modules = NULL;
        e = know_program(s);
        return e == SESSION_OK ? SESSION_GREW : e;
}

int session_run(struct session *s, uint32_t flags, uint32_t known)
{
        bool again;
        int r;

        for (int tries = 0; tries < TRIES;) {
                if (s->target.pid == 0 && s->target.aslr)
                        return moved(s);
                session_write(s, flags);
                r = target_run(&s->target);
                if (r == TARGET_OK) {
                        r = settle(s, known, &again);
                        if (r == SESSION_DIED)
                                tries++;
                        else if (!again)
                                return r;
                } else if (r == TARGET_INTR) {
                        return SESSION_INTR;
                } else if (r == TARGET_FAIL) {
                        return fail(s, SESSION_FAIL, s->target.why);
                } else {
                        log_note("the program %s in execution %llu: restarted", s->target.why,
                                 (unsigned long long)s->result->stats.executions + 1);
                        tries++;
                }
        }
        return SESSION_DIED;
}
