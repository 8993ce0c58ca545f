/* Nodes: the operation that a history leads to is learnt once, and is the same whenever an execution comes there. */
#ifndef HEDDLE_STRATEGY_MCR_NODES_H
#define HEDDLE_STRATEGY_MCR_NODES_H

#include "strategy/mcr/understand.h"

/* The node's operation is this one.  false: it is another one, which is not modelled. */
bool learner_node_is(struct learner *l, struct tries *t, uint32_t at, const struct node *is);

#endif
