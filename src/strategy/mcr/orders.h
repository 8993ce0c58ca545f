/*
 * Happens-before along a path of the machine: which accesses of the other threads each thread comes after.
 *
 * Data races are next to each other in some state where every communication between threads orders them.  Relaxed atomics and
 * failed tries communicate and order nothing: two accesses may be unordered and never be adjacent.  So for programs with these
 * the clocks are a part of the state (`orders` of the tries), by the rules of analysis/sync.c.
 *
 * A clock has a number for each thread: of its accesses, in the order of its history, the first so many come before.  Equal
 * clocks have one number (0: nothing), which is the value of a cell.  So clocks are undone and compared as all cells are.
 */
#ifndef HEDDLE_STRATEGY_MCR_ORDERS_H
#define HEDDLE_STRATEGY_MCR_ORDERS_H

#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"

struct orders {
        VEC(uint32_t) clocks; /* `width` numbers each */
        uint32_t *table;      /* of 2^bits: clocks, + 1, by their contents */
        uint32_t width, bits;
        uint32_t counted; /* nodes whose accesses before them are counted */
        uint32_t celled;  /* cells that have those of their clocks */
};

/* How an entry orders, as a part of the node that it led to; the lower bits are those of WIRE_EV_*. */
#define ORDERS_TOOK    0x100u /* a lock, a token */
#define ORDERS_CHANGES 0x200u /* the object */
#define ORDERS_SHARED  0x400u /* a lock held for reading is released */
uint16_t orders_of(const struct wire_event *e);

void orders_fini(struct orders *o);
/* Makes what new nodes and cells need.  true: earlier states had other clocks, so the search restarts. */
bool orders_prepare(struct orders *o, struct tries *t);
/* Is it an access that a data race can be made of? */
bool orders_counts(const struct tries *t, const struct node *n);

/* The clock of a thread. */
uint32_t orders_now(const struct tries *t, const uint64_t *now, uint32_t thread);
/* How many accesses of a thread a clock comes after. */
uint32_t orders_known(const struct orders *o, uint32_t clock, uint32_t thread);

/* A thread performs the operation of a node, which leads to the child; cells still have the values from before it. */
void orders_do(struct orders *o, const struct tries *t, const uint64_t *now, const struct node *n,
               const struct node *child, uint32_t thread, waiters_set *set, void *arg);
/* The operation has woken another thread. */
void orders_wake(struct orders *o, const struct tries *t, const uint64_t *now, const struct node *child,
                 uint32_t thread, uint32_t woken, waiters_set *set, void *arg);

/* A delayed store reaches memory. */
void orders_flush(struct orders *o, const struct tries *t, const uint64_t *now, const struct node *store,
                  waiters_set *set, void *arg);
/* The clocks of what a load reads, as one number. */
uint64_t orders_read(const struct tries *t, const uint64_t *now, const struct node *n);

/* A thread ends because it was asked to: it comes after the request. */
void orders_cancelled(struct orders *o, const struct tries *t, const uint64_t *now, uint32_t thread, waiters_set *set,
                      void *arg);

#endif
