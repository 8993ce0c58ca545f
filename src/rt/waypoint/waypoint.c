/*
 * See waypoint.h.
 *
 * What the kernel holds is as at the snapshot when a waypoint is taken, and an execution that makes a system call ends it: so memory
 * that the runtime maps, and descriptors that it opens, are never forgotten by going back.
 */
#include "rt/waypoint/waypoint.h"

#include "rt/io/descriptor.h"
#include "rt/sched/exchange.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/waypoint/ahead.h"
#include "rt/waypoint/here.h"
#include "rt/waypoint/pages.h"
#include "rt/world/kernel.h"

#define FIRST_RUNS 4u    /* schedules with a common beginning, before a waypoint is taken */
#define MAX_PAUSE  4096u /* ... where the last ones were not worth it */
#define WORTH      8u    /* executions from one waypoint */

/* What of a message decides the way to a waypoint, beside the decisions. */
struct terms {
        uint32_t flags, tail, depth, thread_depth, points, sites_seq, cycles;
        uint32_t n_shared, n_names, n_buffers, n_loops, loop_depth, fair_limit, timeout_limit, wasted_seq;
        uint32_t run_seed[2];
};

/* In `up`, as far as an execution changes it. */
struct answer {
        uint32_t n_events, n_transitions, gave_way, timeouts, timeout_row, clocks, overruled, endless, n_names,
                n_buffers;
        uint32_t n_hashes, blocked, offered, n_awaits;
};

/* In memory that is not put back. */
static struct waypoint {
        bool valid, impossible;
        bool good;          /* the last one was worth it */
        uint32_t length;    /* transitions of the last execution */
        uint32_t depth;     /* transitions before it */
        uint32_t served;    /* executions that began there */
        uint32_t low, runs; /* decisions that the last schedules had in common, and how many schedules these were */
        uint32_t pause;     /* schedules before the next one */
        struct terms terms;
        struct answer answer;
        uint64_t calls; /* system calls up to the beginning of the execution */
} * w;

void waypoint_init(const void *stack, size_t size)
{
        if (!rt.down->share_from)
                return;
        w = pages_init(sizeof *w, stack, size);
        w->pause = FIRST_RUNS;
        w->good = true;
        w->low = UINT32_MAX;
}

/* Whether and where. */

static struct terms terms_now(void)
{
        const struct wire_down *d = rt.down;

        return (struct terms){
                .flags = d->flags & ~WIRE_SETTLED,
                .tail = d->tail,
                .depth = d->depth,
                .thread_depth = d->thread_depth,
                .points = d->points,
                .sites_seq = d->sites_seq,
                .cycles = d->cycles,
                .n_shared = d->n_shared,
                .n_names = d->n_names,
                .n_buffers = d->n_buffers,
                .n_loops = d->n_loops,
                .loop_depth = d->loop_depth,
                .fair_limit = d->fair_limit,
                .timeout_limit = d->timeout_limit,
                .wasted_seq = d->wasted_seq,
                .run_seed = {(uint32_t)d->run_seed, (uint32_t)(d->run_seed >> 32)},
        };
}

static bool is_same(struct terms t)
{
        const uint32_t *a = &t.flags, *b = &w->terms.flags;
        uint32_t n = sizeof t / sizeof *a;

        while (n && *a++ == *b++)
                n--;
        return !n;
}

/* Does the schedule leave the common beginning no earlier than there, with the sleep set of its last transition? */
static bool passes(uint32_t depth)
{
        const struct wire_down *d = rt.down;

        return d->same >= depth && d->n_prefix >= d->n_last && d->n_prefix - d->n_last >= depth;
}

static void drop(void)
{
        w->good = w->served >= WORTH;
        w->pause = w->good ? FIRST_RUNS : w->pause < MAX_PAUSE ? w->pause * 4 : w->pause;
        w->valid = false;
        w->low = UINT32_MAX;
        w->runs = 0;
}

/* Somewhat before the last transition of a beginning: branches that are near each other share a waypoint. */
static uint32_t before(uint32_t n)
{
        return n - (n / 64 + 32 < n / 4 ? n / 64 + 32 : n / 4);
}

/* Where a waypoint would serve the schedules that follow, if they are like the last ones: these branch where this one does, or
 * have as much in common. */
static uint32_t choose(void)
{
        const struct wire_down *d = rt.down;
        uint32_t n = d->n_prefix - d->n_last, at;

        if (d->n_prefix < d->n_last || d->txns.n || rt.poison || d->flags & WIRE_SEGMENTS)
                n = 0;
        if (d->same < d->share_from) {
                w->low = UINT32_MAX;
                w->runs = 0;
        } else {
                w->low = d->same < w->low ? d->same : w->low;
                w->runs++;
        }
        if (w->good && n > w->length / 4 * 3)
                at = before(n);
        else if (w->runs >= w->pause)
                at = before(w->low);
        else
                return UINT32_MAX;
        return at >= d->share_from && at <= n && (!w->valid || at >= w->depth + d->share_from) ? at : UINT32_MAX;
}

/* The account of the answer. */

static struct answer answer_now(void)
{
        const struct wire_up *up = rt.up;

        return (struct answer){.n_events = up->n_events,
                               .n_transitions = up->n_transitions,
                               .gave_way = up->gave_way,
                               .timeouts = up->timeouts,
                               .timeout_row = up->timeout_row,
                               .clocks = up->clocks,
                               .overruled = up->overruled,
                               .endless = up->endless,
                               .n_names = up->n_names,
                               .n_buffers = up->n_buffers,
                               .n_hashes = up->n_hashes,
                               .blocked = up->txn.blocked,
                               .offered = up->txn.offered,
                               .n_awaits = up->n_awaits};
}

static void answer_restore(void)
{
        struct wire_up *up = rt.up;
        const struct answer *a = &w->answer;

        up->n_events = a->n_events;
        up->n_transitions = a->n_transitions;
        up->gave_way = a->gave_way;
        up->timeouts = a->timeouts;
        up->timeout_row = a->timeout_row;
        up->clocks = a->clocks;
        up->overruled = a->overruled;
        up->endless = a->endless;
        up->n_hashes = a->n_hashes;
        up->txn.blocked = a->blocked;
        up->txn.offered = a->offered;
        up->n_awaits = a->n_awaits;
        up->n_wasted = up->restart = 0;
        up->n_failures = up->n_new_shared = up->leaks_known = up->n_leaks = up->step = 0;
        up->text[0] = 0;
        up->end = WIRE_END_NONE;
        __atomic_store_n(&up->running, 1, __ATOMIC_SEQ_CST);
}

/* The life of a waypoint. */

bool waypoint_take(void)
{
        if (!waypoint_is_here())
                return false;
        w->valid = false;
        if (!kernel_is_as_saved())
                w->pause = MAX_PAUSE;
        else if (!pages_save())
                w->impossible = true;
        else
                w->valid = true;
        w->depth = ex.n_transitions;
        w->served = w->runs = 0;
        w->low = UINT32_MAX;
        w->terms = terms_now();
        w->answer = answer_now();
        return true;
}

void waypoint_over(void)
{
        if (w)
                w->length = ex.n_transitions;
        if (w && w->valid && (rt_calls != w->calls || !kernel_is_unchanged()))
                drop();
}

static _Noreturn void fault(const char *text)
{
        struct wire_up *up = rt.up;

        up->n_events = up->n_transitions = up->n_failures = up->n_leaks = 0; /* of the last execution */
        exchange_last(WIRE_END_FAULT, text);
}

bool waypoint_restore(void)
{
        const struct wire_down *d = rt.down;
        uint32_t at;
        bool known, same;

        waypoint_at = UINT32_MAX;
        if (!w || w->impossible)
                return false;
        at = choose();
        if (w->valid && (!passes(w->depth) || !is_same(terms_now()) || rt.up->n_names != w->answer.n_names ||
                         rt.up->n_buffers != w->answer.n_buffers))
                drop();
        if (!w->valid) {
                waypoint_at = at;
                return false;
        }
        descriptor_restore_offsets();
        known = pages_restore();
        same = !(d->flags & WIRE_FINGERPRINT) || pages_same();
        exchange_restored();
        if (!known)
                fault("the kernel does not say which memory was written");
        if (!same)
                fault("memory is not as it was in the middle of the execution");
        answer_restore();
        rt.flags = d->flags;
        ahead_begin();
        ahead_read();
        waypoint_at = at;
        w->served++;
        return true;
}

void waypoint_resume(void)
{
        w->calls = rt_calls;
        waypoint_continue();
}
