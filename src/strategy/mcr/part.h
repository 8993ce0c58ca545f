/*
 * A part of the classes of a program: those whose threads have certain histories.
 *
 * A class is the last node of each thread (tries.h), and a node has one parent.  A part says of threads which node their history has,
 * and which nodes it has not.  To divide a part at a node: one part has the classes in which the thread's history has that node, the
 * other one the rest, among them all that no execution has shown yet.  So parts of one division are disjoint, and together they are the
 * part that was divided.
 *
 * A history that cannot become one of the part any more is outside, and stays so: what leads to a node that a part is divided at is not
 * a turn in a queue (queues.h), whose results belong to another node.
 */
#ifndef HEDDLE_STRATEGY_MCR_PART_H
#define HEDDLE_STRATEGY_MCR_PART_H

#include "base/stream.h"
#include "strategy/mcr/tries.h"

struct part {
        VEC(uint32_t) needed;   /* of each thread: a node that its history has, 0: none is needed */
        VEC(uint32_t) excluded; /* nodes that no history has */
        VEC(uint8_t) status;    /* of nodes (part.c) */
        double size;            /* beside other parts of one division, as far as that can be guessed */
};

void part_fini(struct part *p);

/* All classes are in it. */
static inline bool part_whole(const struct part *p)
{
        return !p->needed.n && !p->excluded.n;
}

/* Nodes were added. */
void part_grow(struct part *p, const struct tries *t);
/* In this state of the machine: is no class of the part possible any more?  At the end: is it one of the part? */
bool part_left(const struct part *p, const struct tries *t, const uint64_t *now);
bool part_has(const struct part *p, const struct tries *t, const uint64_t *now);

/* Divides it into at most n parts, of which at least one is there: out[] gets them, and the number is returned. */
uint32_t part_divide(const struct part *p, const struct tries *t, uint32_t n, struct part *out);

void part_save(const struct part *p, struct stream *out);
/* false: the input is malformed. */
bool part_load(struct part *p, const struct tries *t, struct stream *in);

#endif
