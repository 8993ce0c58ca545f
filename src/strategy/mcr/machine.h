/*
 * The program as a state machine, as far as executions have shown it: its state is the value of every cell (tries.h).
 *
 * A step is a transition of one thread, with all that belongs to it.  It is undone in reverse order, and may end at what no
 * execution has shown.  The hash of a state has 128 bits and changes with each cell, so two states are equal if theirs are.
 */
#ifndef HEDDLE_STRATEGY_MCR_MACHINE_H
#define HEDDLE_STRATEGY_MCR_MACHINE_H

#include "strategy/mcr/ordered.h"
#include "strategy/mcr/orders.h"
#include "strategy/mcr/tries.h"

struct hash128 {
        uint64_t a, b;
};

struct machine_change {
        uint64_t was;
        uint32_t cell;
};

struct machine_access {               /* that a step has performed */
        uint32_t thread, node, child; /* child: the node that it led to */
        uint32_t clock;               /* of the thread, before it */
};

struct machine {
        struct tries tries;
        VEC(uint64_t) now; /* the value of each cell */
        VEC(struct machine_change) changes;
        VEC(struct wire_decision) path; /* the transitions that led here */
        struct ordered_open open;       /* within a step */
        struct orders orders;
        VEC(struct machine_access) performed; /* by the last step, where clocks are a part of the state */
        struct hash128 hash;
        uint64_t
                unseen; /* after MACHINE_UNSEEN: the result that no execution has shown; MACHINE_WAITS: the operation has to wait */
        const uint32_t *
                usual; /* of each node, the child after a read that need not keep its value (compare/published.h); NULL */
        uint32_t depth,
                spent;  /* --depth: so many entries at most, or 0; the cell that counts those of the path, or 0 */
        uint32_t keeps; /* ... but reads of this thread do; UINT32_MAX: of none */
};

#define MACHINE_WAITS UINT64_MAX

/* In the result of an access to a block that was freed: another history. */
#define MACHINE_DEAD UINT64_C(0xdead0000dead0000)

enum machine_answer { MACHINE_DONE, MACHINE_UNSEEN };

void machine_init(struct machine *m);
void machine_fini(struct machine *m);
/* New cells have their first values. */
void machine_grow(struct machine *m);
/* Executions have at most so many entries.  The path counts its own as a part of the state: one for each operation and each flush, never
 * more than the target does. */
void machine_limit(struct machine *m, uint32_t depth);
/* Is the path as long as it may be?  ... longer, by what followed its last step without a decision? */
bool machine_is_deep(const struct machine *m);
bool machine_is_too_deep(const struct machine *m);

/* What distinguishes an execution that has come to its end with these values: the last nodes of all threads, which of them have
 * not been woken, and what is read when all threads have ended. */
struct hash128 machine_class(const struct tries *t, const uint64_t *now);
/* What else a check at the end can tell: the pointers to the heap that are in memory, from which follows what is lost; or all of
 * the shared state (--final). */
enum machine_end { MACHINE_END_POINTERS, MACHINE_END_ALL };
/* The class, with that. */
struct hash128 machine_class_end(const struct tries *t, const uint64_t *now, enum machine_end end);

/* The next node of a thread; 0: it is not there. */
static inline uint32_t machine_node(const struct machine *m, uint32_t thread)
{
        uint32_t cell = thread < m->tries.threads.n ? m->tries.threads.at[thread] : 0;

        return cell ? (uint32_t)m->now.at[cell] : 0;
}

/* Whether the block that the cell lies in was freed is a part of what an access returns. */
uint64_t machine_liveness(const struct machine *m, uint32_t cell);

/* May the thread take a step?  Unknown operations may not. */
bool machine_enabled(struct machine *m, uint32_t thread);
/* ... whether or not its stores have reached memory, if that is what it waits for. */
bool machine_enabled_drained(struct machine *m, uint32_t thread);
/* Is it known what the thread does next, and whether it may? */
bool machine_knows(struct machine *m, uint32_t thread);

/* What the main thread does before its first transition. */
enum machine_answer machine_begin(struct machine *m);
/* How many alternatives the step of a thread has. */
uint32_t machine_choices(const struct machine *m, uint32_t thread);
/* A step, with its k-th alternative.  UNSEEN: the path has the step, and the state is one within it. */
enum machine_answer machine_step(struct machine *m, uint32_t thread, uint32_t k);
/* May the buffer flush its next store? */
bool machine_may_flush(const struct machine *m, uint32_t buffer);
/* It does. */
void machine_flush(struct machine *m, uint32_t buffer);
/* Adds the next operation of a thread to the path, without performing it. */
void machine_plan(struct machine *m, uint32_t thread);
/* Gives a cell another value, which is undone as a step is. */
void machine_set(struct machine *m, uint32_t cell, uint64_t value);
/* Back to where `changes` and `path` were this long. */
void machine_undo(struct machine *m, uint32_t changes, uint32_t path);

#endif
