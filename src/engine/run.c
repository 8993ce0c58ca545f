/*
 * Running one schedule, whatever happens to the target on the way.
 *
 * A target that dies is started again and the schedule run once more; only when it dies every time, it is the program's
 * doing.  A pool of threads that is too small, or a snapshot that cannot hold what the program did, costs a restart.
 */
#include "engine/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "engine/outcomes.h"
#include "op/op.h"
#include "program/invariants.h"
#include "program/loops.h"
#include "program/preemption_points.h"
#include "program/start.h"
#include "target/plugin_check.h"

#define TRIES 3    /* of a schedule whose target dies */
#define EARLY 2000 /* executions that a new loop makes void */
#define MOVES 16   /* of a target whose addresses stay random */

void run_init(struct run *r, struct program *p, const struct stats *stats)
{
        *r = (struct run){.program = p, .stats = stats};
        if (p->target.down)
                run_attach(r);
}

void run_fini(struct run *r)
{
        free(r->diverged);
        lines_fini(&r->lines);
}

void run_attach(struct run *r)
{
        struct wire_down *d = r->program->target.down;

        r->schedule.prefix = d->prefix;
        r->schedule.sleep = d->sleep;
        r->schedule.footprint = d->footprint;
        ahead_drop(&r->ahead);
}

/* What the execution at hand is called, in messages. */
static unsigned long long number(const struct run *r)
{
        return (r->stats ? r->stats->executions : 0) + 1;
}

/* What the target found out and must not forget: names of threads, shared memory.  1: more is shared than before. */
static int take_knowledge(struct run *r)
{
        struct wire_down *d = r->program->target.down;
        const struct wire_up *up = r->program->target.up;
        uint32_t names = up->n_names, shared = up->n_new_shared;
        bool named = r->names_matter && names > d->n_names;
        uint32_t buffers = up->n_buffers < WIRE_MAX_THREADS ? up->n_buffers : WIRE_MAX_THREADS;

        for (; d->n_buffers < buffers; named = true, d->n_buffers++) /* stores to there were not delayed in this run */
                d->buffers[d->n_buffers] = up->buffers[d->n_buffers];

        for (; d->n_names < names && d->n_names < WIRE_MAX_THREADS; d->n_names++)
                d->names[d->n_names] = up->names[d->n_names];
        if (shared > WIRE_MAX_SHARED - d->n_shared)
                return error_set(r->program->why, ERROR_FAIL,
                                 "the program shares too much memory: more than a million words");
        memcpy(&d->shared[d->n_shared], up->new_shared, shared * sizeof *d->shared);
        d->n_shared += shared;
        return shared > 0 || named;
}

/* May rounds of loops be cut?  Only if every looking point is a preemption point, and not where time passes or states are
 * compared. */
static bool may_cut(const struct config *c, const struct wire_down *d)
{
        return c->loops != LOOPS_WAIT && d->preempt == WIRE_PREEMPT_ALL && d->cycles != WIRE_CYCLES_ALL && !c->fair;
}

void run_write(struct run *r, uint32_t flags)
{
        const struct config *c = r->program->config;
        const struct schedule *m = &r->schedule;
        struct wire_down *d = r->program->target.down;

        d->command = WIRE_RUN;
        d->flags =
                (may_cut(c, d) ? m->flags : m->flags & ~WIRE_CUT_LOOPS) & ~(c->loops == LOOPS_AWAIT ? 0 : WIRE_AWAITS);
        d->flags |= flags | (d->cycles == WIRE_CYCLES_ALL ? WIRE_WANT_ENABLED : 0) |
                    (c->keep_going || c->ignored ? WIRE_KEEP_GOING : 0) | (c->check_restore ? WIRE_FINGERPRINT : 0);
        d->n_prefix = m->n_prefix;
        d->same = m->author ? m->same : 0;
        r->schedule.same = r->schedule.kept = 0; /* of a second try nothing is known */
        d->n_hints = m->n_hints;
        d->n_sleep = m->n_sleep;
        d->n_last = m->n_last;
        d->tail = c->fair && (m->tail == WIRE_TAIL_RUN_TO_BLOCK || m->tail == WIRE_TAIL_STAY) ? WIRE_TAIL_ROUND_ROBIN
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
        points_write(r->program, m->points);
}

/* The program did what the snapshot cannot undo: from now on it runs in children, and all over again. */
static int fork_instead(struct run *r)
{
        struct target *t = &r->program->target;
        struct facts *f = r->program->facts;
        char reason[WIRE_TEXT];

        snprintf(reason, sizeof reason, "%.*s", (int)sizeof reason - 1, t->up->restore_text);
        target_stop(t);
        if (r->program->config->isolate == ISOLATE_SNAPSHOT)
                return error_set(r->program->why, ERROR_USAGE,
                                 "%s, which a snapshot cannot undo; use --isolate auto or fork", reason);
        t->isolate = WIRE_ISOLATE_FORK;
        f->forked = true;
        r->doubtful = true;
        log_note("%s, which a snapshot cannot undo: restarted with a child process for each execution", reason);
        snprintf(f->isolation, sizeof f->isolation, "%s", reason);
        return RUN_GREW;
}

/* The pool of threads was too small. */
static int more_threads(struct run *r, bool *again)
{
        struct target *t = &r->program->target;
        uint32_t need = t->up->step < WIRE_MAX_THREADS ? t->up->step : WIRE_MAX_THREADS - 1;

        log_note("the program has more than %u threads: restarted with room for more", t->pool);
        t->pool = need > t->pool * 2 ? need : t->pool * 2;
        if (t->pool >= WIRE_MAX_THREADS)
                t->pool = WIRE_MAX_THREADS - 1;
        target_stop(t);
        *again = r->program->config->memory == WIRE_MEMORY_SC;
        return *again ? RUN_OK : RUN_GREW; /* store buffers are numbered behind the threads */
}

/* One more loop is known, or more of the stacks is empty at the beginning.  What was explored without a loop stays true, but
 * may have more executions than needed where updates were taken for writes, and reads were not known to wait: if that is little,
 * everything restarts. */
static int one_more_loop(struct run *r, bool grew, bool *again)
{
        const struct wire_up *up = r->program->target.up;

        if (!loops_learn(r->program))
                return error_set(r->program->why, ERROR_FAIL, "the target reported a loop that is known");
        *again = !grew && (number(r) > EARLY || !up->n_loop_stack || !up->loop_looks ||
                           (!up->updates && !(r->program->target.down->flags & WIRE_AWAITS)));
        return *again ? RUN_OK : RUN_GREW;
}

/* Does what was learnt of loops make the exploration restart?  Where that is not necessary: not one that is old, or shared by
 * explorers whose targets know different things. */
static bool begins_again(const struct run *r)
{
        uint32_t how = r->program->target.up->restart;

        return how == WIRE_RESTART_MUST || (how == WIRE_RESTART_BETTER && !r->names_matter && number(r) <= EARLY);
}

/* A transaction has aborted: the same schedule, with that known. */
static int one_more_outcome(struct run *r, bool *again)
{
        struct target *t = &r->program->target;

        int e = outcomes_learn(t->down, t->up, &r->trace, r->schedule.flags & WIRE_SETTLED ? &r->lines : NULL);

        if (e == -ENOMEM)
                return error_memory(r->program->why);
        if (e < 0)
                return error_set(r->program->why, ERROR_FAIL,
                                 "the target reported an outcome of a transaction that cannot be");
        r->speculations++;
        *again = true;
        return RUN_OK;
}

/* gcc announces the write of a struct copy before the read, so the value is not known in time. */
static int announced_early(const struct program *p, const struct trace *t)
{
        struct symbols_frame at = {.function = "a function", .file = NULL};

        if (t->step > 0 && t->step <= t->n_events)
                at = symbols_place(p->symbols, t->events[t->step - 1].site);
        return error_set(
                p->why, ERROR_USAGE,
                "--memory: %s() (%s:%u) copies a struct, which gcc announces before it makes it, so that what is "
                "stored is not known in time; build it with clang (--compiler clang)",
                at.function, at.file ? at.file : "unknown", at.line);
}

/* Ends that say that the program, or heddle, cannot continue. */
static int check_end(struct run *r)
{
        struct program *p = r->program;
        const struct trace *t = &r->trace;

        switch (t->end) {
        case WIRE_END_UNSUPPORTED:
                return error_set(p->why, ERROR_USAGE, "the program uses %s, which heddle does not model yet", t->text);
        case WIRE_END_EARLY: return announced_early(p, t);
        case WIRE_END_MISUSE: return watch_misused(p, t);
        case WIRE_END_PLUGIN: return error_set(p->why, ERROR_USAGE, "%s", t->text);
        case WIRE_END_FAULT: return error_set(p->why, ERROR_FAIL, "%s", t->text);
        default: break;
        }
        if (p->config->check_restore && restore_check(&r->restored, &p->target, number(r), p->why))
                return ERROR_FAIL;
        return p->config->check_ops && checkops_look(t, p->why) ? (int)ERROR_USAGE : (int)RUN_OK;
}

/* A run that reached an end by itself; ends that need another try are handled here. */
static int settle(struct run *r, uint32_t known, bool *again)
{
        struct target *t = &r->program->target;
        struct facts *f = r->program->facts;
        const struct wire_up *up = t->up;
        const char *why = NULL;
        int grew, e;

        *again = false;
        /* Nothing is believed, not even what shall survive this target, before it makes sense. */
        if (trace_check(&r->trace, up, up->n_new_shared ? 0 : known, &why)) {
                target_stop(t);
                return error_set(&t->why, RUN_DIED, "overwrote its trace (%s)", why);
        }
        r->trace.run = ++r->runs;
        grew = take_knowledge(r);
        if (grew < 0)
                return grew;
        if (up->end == WIRE_END_MORE_THREADS)
                return more_threads(r, again);
        if (up->end == WIRE_END_MORE_STACK) {
                log_note("a thread asks for a stack of %u KiB: restarted with such stacks", up->step);
                t->down->stack_kb = up->step;
                target_stop(t);
                *again = true;
                return RUN_OK;
        }
        if (up->end == WIRE_END_TXN && !grew)
                return one_more_outcome(r, again);
        if (grew)
                loops_forget_wasted(t->down); /* a round may read what is shared now */
        else if (up->n_wasted && !loops_learn_wasted(t->down, up))
                return error_set(r->program->why, ERROR_FAIL, "the loops of the program access too many words");
        if (up->end == WIRE_END_LOOP && (up->n_wasted || up->restart)) {
                *again = !grew && !begins_again(r);
                return *again ? RUN_OK : RUN_GREW;
        }
        if (up->end == WIRE_END_LOOP)
                return one_more_loop(r, grew, again);
        if (!lines_learn(&r->lines, &r->trace, up->txn.offered, points_many(r->program), known, t->down->txn.line_size))
                return error_memory(r->program->why);
        if (up->overruled)
                log_note("the spin detector was overruled by the schedule");
        if (!up->restorable && t->isolate == WIRE_ISOLATE_SNAPSHOT)
                return fork_instead(r);
        if (up->unfiltered && !f->forked && !f->isolation[0]) {
                snprintf(f->isolation, sizeof f->isolation,
                         "seccomp is not permitted here: the whole state is restored every time");
                log_note("%s", f->isolation);
        }
        e = check_end(r);
        return e == RUN_OK && grew ? RUN_GREW : e;
}

/* A target that is started again has everything at another place: the exploration restarts.  RUN_GREW, or why not. */
static int moved(struct run *r)
{
        int e;

        if (++r->moves > MOVES)
                return error_set(r->program->why, ERROR_FAIL,
                                 "the program had to be restarted too often, each time at other addresses: "
                                 "personality() is not permitted here; allow it");
        e = program_start_moved(r->program);
        if (e != RUN_OK)
                return e;
        r->doubtful = true;
        return RUN_GREW;
}

/* The execution was run before. */
static bool was_run(struct run *r)
{
        struct target *t = &r->program->target;
        const struct wire_ahead_answer *a = r->asks && !r->lines.on ? ahead_take(&r->ahead, t, &r->schedule) : NULL;
        const char *why;

        if (!a || trace_check_ahead(&r->trace, t->up, a, &why))
                return false;
        r->trace.run = ++r->runs;
        return true;
}

/* Runs what is in the wire, and what may be asked for next. */
static int run_all(struct run *r, bool first)
{
        struct target *t = &r->program->target;
        bool ahead = first && r->asks && !r->lines.on && ahead_offer(&r->ahead, t, &r->schedule, r->asks);
        int e = target_run(t);

        t->down->n_ahead = 0;
        if (e != TARGET_OK) {
                ahead_drop(&r->ahead);
                r->ahead.off |= ahead; /* by one of them, perhaps, which would be tried with each message */
        } else if (ahead && printed_any(&t->printed)) { /* nobody knows by which of them */
                ahead_drop(&r->ahead);
                r->ahead.off = true;
                e = target_run(t);
        }
        return e;
}

int run_schedule(struct run *r, uint32_t flags, uint32_t known)
{
        struct target *t = &r->program->target;
        bool again;
        int e;

        if (was_run(r))
                return check_end(r);
        outcomes_keep(t->down, t->up, &r->schedule, (r->schedule.flags | flags) & WIRE_SEGMENTS);
        for (int tries = 0; tries < TRIES;) {
                if (t->pid == 0 && t->spawn.aslr)
                        return moved(r);
                run_write(r, flags);
                outcomes_suit(t->down, &r->terms);
                e = run_all(r, tries == 0);
                if (e == TARGET_OK) {
                        e = settle(r, known, &again);
                        if (e == RUN_DIED)
                                tries++;
                        else if (!again) {
                                r->schedule.same = r->schedule.kept = UINT32_MAX;
                                if (flags & WIRE_DETAIL) {
                                        printed_errors(&t->printed, r->errors, sizeof r->errors);
                                        r->trace.errors = r->errors;
                                }
                                return e;
                        }
                } else if (e == TARGET_INTR) {
                        return RUN_INTR;
                } else if (e == TARGET_FAIL) {
                        return error_set(r->program->why, ERROR_FAIL, "%s", t->why.text);
                } else {
                        log_note("the program %s in execution %llu: restarted", t->why.text, number(r));
                        tries++;
                }
        }
        return RUN_DIED;
}
