/*
 * A finished execution as the explorer sees it: a checked, read-only view of what the target wrote.
 *
 * trace_check() is the only door: it bounds every count and index of the `up` region and refuses what is malformed.
 * Afterwards a strategy, an observer or a report may follow the indices without probing.
 */
#ifndef HEDDLE_TRACE_TRACE_H
#define HEDDLE_TRACE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

struct symbols;

#define TRACE_ERRORS 1024 /* bytes of standard error that are kept */

struct trace {
        const struct wire_event *events;
        uint32_t n_events;
        uint32_t n_transitions;
        uint32_t gave_way;                 /* WIRE_TAIL_PCT: how often a thread ran alone for too long */
        const struct wire_thread *threads; /* at the end of the execution */
        uint32_t n_threads;
        const struct wire_failure *failures;
        uint32_t n_failures;
        const struct wire_leak *leaks; /* what was lost when it ended ... */
        uint32_t n_leaks;
        uint32_t leaks_known; /* ... 0: that was not looked for, or is not known */
        const struct wire_module *modules;
        uint32_t n_modules;
        const struct wire_name *names;
        uint32_t n_names;
        const struct wire_frame *frames; /* with WIRE_DETAIL: the tree of call stacks, 0 is its root */
        uint32_t n_frames;               /* 0: no stacks were recorded */
        const uint32_t *stacks;          /* of each entry: its innermost frame */
        const struct wire_local *locals; /* with WIRE_DETAIL: memory on stacks */
        uint32_t n_locals;
        const uint64_t *before;          /* with WIRE_VALUES, otherwise NULL: as in struct wire_up */
        const struct wire_block *blocks; /* with WIRE_DETAIL: of the heap, those that entries touch */
        uint32_t n_blocks;
        const uint64_t *enabled; /* with WIRE_WANT_ENABLED: enabled_words per transition */
        uint32_t enabled_words;
        const uint64_t *hashes; /* with WIRE_CYCLES_ALL: of the state before each transition, 0: not known */
        uint32_t n_hashes;
        const struct wire_await *awaits; /* with WIRE_AWAITS: reads that wait, by event */
        uint32_t n_awaits;
        uint32_t end;      /* enum wire_end */
        uint32_t step;     /* of WIRE_END_DIVERGED: the transition that could not be followed */
        uint64_t followed; /* bits of recorded paths that all threads together have followed */
        uint32_t clocks;   /* bits WIRE_CLOCKS_ */
        int32_t exit_status;
        uint64_t run;        /* its number, from 1; 0: none */
        uint64_t repeats_of; /* ... and that of an earlier one; its first `repeats` entries are the same */
        uint32_t repeats;
        const char *text;   /* explains DIVERGED, UNSUPPORTED, FAULT */
        const char *errors; /* with WIRE_DETAIL: the end of what the program printed on standard error; else NULL */
        struct symbols *symbols; /* of a trace file: the names that were in it, not owned; NULL: look in the modules */
};

/* Does this entry show that its thread had the turn?  What a new thread does before its first visible operation is
 * inside its parent's turn, touches nothing and begins no transition. */
static inline int trace_is_turn(const struct wire_event *e)
{
        return (e->flags & WIRE_EV_SCHED) || e->mode != WIRE_MODE_NONE;
}

/* How many entries the transition has that begins with this one.  An atomic section is one transition: the choices in it
 * are decisions, but no other thread may run before them. */
static inline uint32_t trace_transition_length(const struct trace *t, uint32_t from)
{
        const struct wire_event *first = &t->events[from];
        uint32_t n = 1;

        while (from + n < t->n_events && (!(first[n].flags & WIRE_EV_SCHED) ||
                                          ((first[n].flags & WIRE_EV_FORCED) && first[n].actor == first->actor)))
                n++;
        return n;
}

/* Is this actor a store buffer (weak memory)?  Its thread is the `holder`. */
static inline int trace_is_buffer(const struct trace *t, uint32_t actor)
{
        return actor < t->n_threads && t->threads[actor].state == WIRE_T_BUFFER;
}

/* The thread that people see: of a store buffer, the one whose stores wait in it. */
static inline uint32_t trace_owner(const struct trace *t, uint32_t actor)
{
        return trace_is_buffer(t, actor) ? t->threads[actor].holder : actor;
}

/* Threads without store buffers, which come behind them, and without places of threads that were not there at the end. */
uint32_t trace_threads(const struct trace *t);

/* The call sites that lead to entry i, its own first; at most `max`.  Their number. */
uint32_t trace_stack(const struct trace *t, uint32_t i, uint64_t *sites, uint32_t max);

/* Checks `up` and fills `t` with pointers into it.  0, or -1 with a reason in `why`.  Entries before `from` were
 * checked by an earlier call for the same prefix and are not checked again. */
int trace_check(struct trace *t, const struct wire_up *up, uint32_t from, const char **why);

/* The same for an execution that was run ahead. */
int trace_check_ahead(struct trace *t, const struct wire_up *up, const struct wire_ahead_answer *a, const char **why);

/* The same check for a trace from elsewhere (a file): what its counts and pointers lead to makes sense. */
int trace_validate(const struct trace *t, uint32_t from, const char **why);

/* From here on, names of memory are those of this execution; t NULL: of none. */
void trace_focus(const struct trace *t, struct symbols *s);

/* A deep copy in one allocation, freed with free(); NULL when out of memory. */
struct trace *trace_copy(const struct trace *t);

#endif
