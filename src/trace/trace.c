/*
 * The check that is between the target's memory and everything that reads a trace.
 *
 * Invariant: after a successful check every count is within its array, every actor, operation, mode and state is a
 * number that exists, every string ends, and as many entries begin a transition as there are transitions.  The region
 * may still be written by a target gone wild, so a scalar is read once and only the copy is used afterwards.
 */
#include "trace/trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "binary/symbols.h"
#include "op/op.h"

#define READ_ONCE(field) (*(const volatile __typeof__(field) *)&(field))

/* No program makes a single access larger than this; it keeps walks over the granules of an access short. */
#define MAX_ACCESS (UINT32_C(1) << 30)

#define REQUIRE(condition, reason)       \
        do {                             \
                if (!(condition)) {      \
                        *why = (reason); \
                        return -1;       \
                }                        \
        } while (0)

/* Is `buffer` one of the thread? */
static bool buffers_for(const struct trace *t, uint32_t buffer, uint32_t thread)
{
        return trace_is_buffer(t, buffer) && t->threads[buffer].holder == thread;
}

static int check_events(const struct trace *t, uint32_t from, const char **why)
{
        uint32_t sched = 0;

        if (from > t->n_events)
                from = t->n_events;
        for (uint32_t i = 0; i < from; i++)
                sched += t->events[i].flags & WIRE_EV_SCHED;
        for (uint32_t i = from; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];
                REQUIRE(e->actor < t->n_threads, "an entry of a thread that is not there");
                REQUIRE(e->op > OP_NONE && op_known(e->op), "an entry with an unknown operation");
                REQUIRE(e->mode < WIRE_MODES, "an entry with an unknown mode");
                REQUIRE(!trace_is_buffer(t, e->actor) || op_has(e->op, OPF_BY_BUFFER),
                        "a buffer that does what only threads do");
                REQUIRE(!(e->weak & WIRE_WEAK_BUFFERED) || buffers_for(t, e->choice, e->actor),
                        "a store in a buffer that is not there");
                REQUIRE(e->mode != WIRE_MODE_FORWARD || buffers_for(t, WIRE_FORWARD_BUFFER(e->value), e->actor),
                        "a load from a buffer that is not there");
                REQUIRE(e->size <= MAX_ACCESS && e->obj + e->size >= e->obj, "an entry of impossible size");
                sched += e->flags & WIRE_EV_SCHED;
        }
        REQUIRE(sched == t->n_transitions, "a wrong number of transitions");
        return 0;
}

static int check_threads(const struct trace *t, const char **why)
{
        for (uint32_t i = 0; i < t->n_threads; i++) {
                const struct wire_thread *th = &t->threads[i];
                REQUIRE(th->state <= WIRE_T_BUFFER, "a thread in an unknown state");
                REQUIRE(th->state != WIRE_T_BUFFER || th->holder < t->n_threads, "a buffer without a thread");
                REQUIRE(op_known(th->op), "a thread with an unknown operation");
                REQUIRE(th->holder < t->n_threads || th->holder == WIRE_NO_ACTOR, "an object held by no thread");
                REQUIRE(th->n_stack <= WIRE_MAX_STACK, "a thread with too deep a stack");
                REQUIRE(th->name[sizeof(th->name) - 1] == 0, "a thread name without end");
        }
        for (uint32_t i = 1; i < t->n_names; i++)
                REQUIRE(t->names[i].parent < i, "a thread older than its parent");
        return 0;
}

static bool failure_of_heap(uint32_t kind)
{
        return kind >= WIRE_FAIL_USE_AFTER_FREE && kind <= WIRE_FAIL_LEAK;
}

static int check_rest(const struct trace *t, const char **why)
{
        for (uint32_t i = 0; i < t->n_failures; i++) {
                const struct wire_failure *f = &t->failures[i];
                REQUIRE(f->kind < WIRE_FAIL_KINDS, "a failure of unknown kind");
                REQUIRE(f->actor < t->n_threads, "a failure of a thread that is not there");
                REQUIRE(f->event <= t->n_events, "a failure after the end");
                REQUIRE(f->other_actor < t->n_threads || f->other_actor == WIRE_NO_ACTOR ||
                                (f->kind != WIRE_FAIL_MISUSE && f->kind != WIRE_FAIL_RACE),
                        "a misuse or race with a thread that is not there");
                REQUIRE(f->n_stack <= WIRE_MAX_STACK, "a failure with too deep a stack");
                REQUIRE(f->block.n_allocated <= WIRE_BLOCK_STACK && f->block.n_freed <= WIRE_BLOCK_STACK,
                        "a block with too deep a stack");
                REQUIRE(f->block.actor < WIRE_MAX_THREADS && f->block.freed_by < WIRE_MAX_THREADS,
                        "a block of an unknown thread");
                REQUIRE(op_known(f->signal) || !failure_of_heap(f->kind), "a wrong access by an unknown operation");
                REQUIRE(f->text[sizeof(f->text) - 1] == 0, "a failure text without end");
        }
        for (uint32_t i = 0; i < t->n_leaks; i++)
                REQUIRE(wire_block_sane(&t->leaks[i].block) && !t->leaks[i].block.n_freed, "a malformed leak");
        for (uint32_t i = 0; i < t->n_blocks; i++)
                REQUIRE(wire_block_sane(&t->blocks[i]), "a malformed heap block");
        for (uint32_t i = 0; i < t->n_awaits; i++) {
                const struct wire_await *a = &t->awaits[i];
                REQUIRE(a->event <= t->n_events && a->before <= a->event && a->actor < t->n_threads && a->size &&
                                (!i || a[-1].event <= a->event),
                        "a malformed read that waits");
        }
        for (uint32_t i = 0; i < t->n_modules; i++)
                REQUIRE(t->modules[i].path[sizeof(t->modules[i].path) - 1] == 0, "a module path without end");
        return 0;
}

static int check_stacks(const struct trace *t, const char **why)
{
        if (!t->n_frames)
                return 0;
        for (uint32_t i = 1; i < t->n_frames; i++)
                REQUIRE(t->frames[i].parent < i, "a call that comes before its caller");
        for (uint32_t i = 0; i < t->n_events; i++)
                REQUIRE(t->stacks[i] < t->n_frames, "an entry with a call stack that is not there");
        return 0;
}

static int check_counts(const struct trace *t, const char **why)
{
        REQUIRE(t->n_events <= WIRE_MAX_EVENTS, "too many entries");
        REQUIRE(t->n_transitions <= t->n_events, "more transitions than entries");
        REQUIRE(t->n_threads <= WIRE_MAX_THREADS, "too many threads");
        REQUIRE(t->n_names <= WIRE_MAX_THREADS, "too many thread names");
        REQUIRE(t->n_failures <= WIRE_MAX_FAILURES, "too many failures");
        REQUIRE(t->n_leaks <= WIRE_MAX_LEAKS, "too many leaks");
        REQUIRE(t->n_modules <= WIRE_MAX_MODULES, "too many modules");
        REQUIRE(t->n_frames <= WIRE_MAX_FRAMES, "too many frames");
        REQUIRE(t->n_hashes <= WIRE_MAX_HASHES, "too many states");
        REQUIRE(t->n_awaits <= WIRE_MAX_AWAITS, "too many reads that wait");
        REQUIRE(t->end <= WIRE_END_EARLY, "an unknown end");
        REQUIRE(t->end != WIRE_END_CYCLE || t->step < t->n_transitions, "a cycle without a transition");
        REQUIRE(t->n_locals <= WIRE_MAX_LOCALS, "too many local variables");
        REQUIRE(t->n_blocks <= WIRE_MAX_BLOCKS, "too many heap blocks");
        REQUIRE(t->end != WIRE_END_FAILED || t->n_failures > 0, "a failed execution without a failure");
        if (t->enabled_words) {
                REQUIRE(t->enabled_words <= WIRE_MAX_THREADS / 64, "enabled sets that are too wide");
                REQUIRE(t->enabled_words * 64 >= t->n_threads, "enabled sets that are too narrow");
                REQUIRE((uint64_t)t->enabled_words * t->n_transitions <= WIRE_MAX_EVENTS, "too many enabled sets");
        }
        return 0;
}

int trace_validate(const struct trace *t, uint32_t from, const char **why)
{
        if (check_counts(t, why) || check_threads(t, why) || check_rest(t, why) || check_stacks(t, why))
                return -1;
        return check_events(t, from, why);
}

int trace_check(struct trace *t, const struct wire_up *up, uint32_t from, const char **why)
{
        struct trace v = {
                .events = up->events,
                .n_events = READ_ONCE(up->n_events),
                .n_transitions = READ_ONCE(up->n_transitions),
                .gave_way = READ_ONCE(up->gave_way),
                .threads = up->threads,
                .n_threads = READ_ONCE(up->n_threads),
                .failures = up->failures,
                .n_failures = READ_ONCE(up->n_failures),
                .leaks = up->leaks,
                .n_leaks = READ_ONCE(up->n_leaks),
                .leaks_known = READ_ONCE(up->leaks_known),
                .modules = up->modules,
                .n_modules = READ_ONCE(up->n_modules),
                .names = up->names,
                .n_names = READ_ONCE(up->n_names),
                .frames = up->frames,
                .n_frames = READ_ONCE(up->n_frames),
                .locals = up->locals,
                .n_locals = READ_ONCE(up->n_locals),
                .blocks = up->blocks,
                .n_blocks = READ_ONCE(up->n_blocks),
                .stacks = up->stacks,
                .before = up->before,
                .enabled = up->enabled,
                .enabled_words = READ_ONCE(up->enabled_words),
                .hashes = up->hashes,
                .n_hashes = READ_ONCE(up->n_hashes),
                .awaits = up->awaits,
                .n_awaits = READ_ONCE(up->n_awaits),
                .end = READ_ONCE(up->end),
                .step = READ_ONCE(up->step),
                .clocks = READ_ONCE(up->clocks),
                .exit_status = READ_ONCE(up->exit_status),
                .followed = READ_ONCE(up->followed_all),
                .text = up->text,
        };

        REQUIRE(READ_ONCE(up->magic) == WIRE_MAGIC, "no heddle runtime wrote it");
        REQUIRE(READ_ONCE(up->version) == WIRE_VERSION, "the runtime speaks another version");
        REQUIRE(READ_ONCE(up->n_new_shared) <= WIRE_MAX_SHARED, "too many shared addresses");
        REQUIRE(up->text[WIRE_TEXT - 1] == 0, "a text without end");
        if (READ_ONCE(up->enabled_overflow) || !v.enabled_words) {
                v.enabled = NULL;
                v.enabled_words = 0;
        }
        if (trace_validate(&v, from, why))
                return -1;
        *t = v;
        return 0;
}

int trace_check_ahead(struct trace *t, const struct wire_up *up, const struct wire_ahead_answer *a, const char **why)
{
        struct trace v = {
                .events = a->events,
                .n_events = READ_ONCE(a->n_events),
                .n_transitions = READ_ONCE(a->n_transitions),
                .threads = a->threads,
                .n_threads = READ_ONCE(a->n_threads),
                .failures = up->failures,
                .leaks = up->leaks,
                .leaks_known = READ_ONCE(a->leaks_known),
                .modules = up->modules,
                .n_modules = READ_ONCE(up->n_modules),
                .names = up->names,
                .n_names = READ_ONCE(up->n_names),
                .frames = up->frames,
                .locals = up->locals,
                .blocks = up->blocks,
                .stacks = up->stacks,
                .before = up->before,
                .hashes = up->hashes,
                .awaits = a->awaits,
                .n_awaits = READ_ONCE(a->n_awaits),
                .end = READ_ONCE(a->end),
                .clocks = READ_ONCE(a->clocks),
                .exit_status = READ_ONCE(a->exit_status),
                .text = "",
        };

        REQUIRE(v.n_events <= WIRE_AHEAD_EVENTS && v.n_threads <= WIRE_AHEAD_THREADS && v.n_awaits <= WIRE_AHEAD_AWAITS,
                "too much of an execution that was run ahead");
        if (trace_validate(&v, 0, why))
                return -1;
        *t = v;
        return 0;
}

/* Copies n bytes to *at, which moves on to the next multiple of 16. */
static const void *put(char **at, const void *from, size_t n)
{
        void *to = *at;
        if (n)
                memcpy(to, from, n);
        *at += (n + 15) & ~(size_t)15;
        return to;
}

static const char *put_text(char **at, const char *from, size_t n)
{
        char *end = *at + n;
        const char *to = put(at, from, n);

        *end = 0;
        *at = end + 16 - (n & 15);
        return to;
}

struct trace *trace_copy(const struct trace *t)
{
        size_t n_events = sizeof(*t->events) * t->n_events;
        size_t n_threads = sizeof(*t->threads) * t->n_threads;
        size_t n_failures = sizeof(*t->failures) * t->n_failures;
        size_t n_modules = sizeof(*t->modules) * t->n_modules;
        size_t n_names = sizeof(*t->names) * t->n_names;
        size_t n_frames = sizeof(*t->frames) * t->n_frames;
        size_t n_stacks = t->n_frames ? sizeof(*t->stacks) * t->n_events : 0;
        size_t n_locals = sizeof(*t->locals) * t->n_locals;
        size_t n_blocks = sizeof(*t->blocks) * t->n_blocks;
        size_t n_enabled = sizeof(*t->enabled) * t->enabled_words * t->n_transitions;
        size_t n_text = t->text ? strnlen(t->text, WIRE_TEXT - 1) : 0;
        size_t n_leaks = sizeof(*t->leaks) * t->n_leaks;
        size_t n_errors = t->errors ? strnlen(t->errors, TRACE_ERRORS - 1) : 0;
        size_t padding = 14 * 16;
        char *at = malloc(sizeof(*t) + n_events + n_threads + n_failures + n_modules + n_names + n_frames + n_stacks +
                          n_locals + n_blocks + n_enabled + n_leaks + n_text + 1 + n_errors + 1 + padding);
        if (!at)
                return NULL;

        struct trace *copy = (struct trace *)put(&at, t, sizeof(*t));
        copy->events = put(&at, t->events, n_events);
        copy->threads = put(&at, t->threads, n_threads);
        copy->failures = put(&at, t->failures, n_failures);
        copy->modules = put(&at, t->modules, n_modules);
        copy->names = put(&at, t->names, n_names);
        copy->frames = put(&at, t->frames, n_frames);
        copy->stacks = put(&at, t->stacks, n_stacks);
        copy->locals = put(&at, t->locals, n_locals);
        copy->before = NULL;
        copy->awaits = NULL;
        copy->n_awaits = 0;
        copy->blocks = put(&at, t->blocks, n_blocks);
        copy->enabled = t->enabled_words ? put(&at, t->enabled, n_enabled) : NULL;
        copy->leaks = put(&at, t->leaks, n_leaks);
        copy->text = put_text(&at, t->text, n_text);
        copy->errors = put_text(&at, t->errors, n_errors);
        return copy;
}

uint32_t trace_threads(const struct trace *t)
{
        uint32_t n = t->n_threads;

        if (!n || !trace_is_buffer(t, n - 1))
                return n;
        while (n > 0 && (t->threads[n - 1].state == WIRE_T_BUFFER || t->threads[n - 1].state == WIRE_T_UNUSED))
                n--;
        return n;
}

uint32_t trace_stack(const struct trace *t, uint32_t i, uint64_t *sites, uint32_t max)
{
        uint32_t n = 0;

        if (max)
                sites[n++] = t->events[i].site;
        for (uint32_t k = t->n_frames ? t->stacks[i] : 0; k && n < max; k = t->frames[k].parent)
                sites[n++] = t->frames[k].site;
        return n;
}

void trace_focus(const struct trace *t, struct symbols *s)
{
        symbols_focus(s, t ? t->locals : NULL, t ? t->n_locals : 0);
        symbols_focus_heap(s, t ? t->blocks : NULL, t ? t->n_blocks : 0);
}
