/*
 * Futexes.  The word is memory; its queue is a cell without a value, which threads wait for.
 *
 * A wait that finds the expected value joins the queue; which value that is, is learnt: the child that a value leads to says
 * whether the thread has joined (NODE_WROTE), and with which bits (`wrote`).  The arguments of a wake or a requeue are in
 * the trace (FUTEX_* below).
 */
#ifndef HEDDLE_STRATEGY_MCR_WAIT_FUTEXES_H
#define HEDDLE_STRATEGY_MCR_WAIT_FUTEXES_H

#include "strategy/mcr/tries.h"
#include "strategy/mcr/wait/waiters.h"

bool futexes_known(uint32_t op);
bool futexes_enabled(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);
uint32_t futexes_choices(const struct tries *t, const uint64_t *now, const struct node *n);
uint32_t futexes_choice(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t k);
uint64_t futexes_result(const struct tries *t, const uint64_t *now, const struct node *n, uint32_t thread);
void futexes_do(const struct tries *t, const uint64_t *now, const struct node *n, const struct node *child,
                uint32_t thread, uint32_t choice, waiters_set *set, void *arg);

#endif
