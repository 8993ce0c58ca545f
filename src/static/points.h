/*
 * What pointers may point to: Andersen's inclusion constraints, solved by propagating differences.
 *
 * L. O. Andersen: Program analysis and specialization for the C programming language, thesis, 1994.  Departures: cells are kept
 * apart by offset, stride and size (cells.h); what unknown code may reach is one object, so that sets stay small: a set with
 * that object stands for all objects that have escaped.
 *
 * Invariant: a set only grows, and a location is propagated once along each constraint.
 */
#ifndef HEDDLE_STATIC_POINTS_H
#define HEDDLE_STATIC_POINTS_H

#include "static/cells.h"

enum constraint_kind {
        C_COPY,  /* other has all that the node has */
        C_SHIFT, /* ... moved by offset and stride */
        C_LOAD,  /* other has what is in the memory that the node points to; offset: the size */
        C_STORE, /* that memory has what other has */
        C_FROM,  /* memory that the node points to is copied to memory that other points to */
        C_TO,    /* the reverse, so that both sides are complete */
        C_CALL,  /* the node is called; other: which call */
};

struct constraint {
        uint8_t kind;
        uint32_t other;
        int32_t offset;
        uint32_t stride;
};

struct node {
        VEC(uint32_t) locs;
        uint32_t *table; /* the same as a set, from 16 on */
        uint32_t bits;
        uint32_t done; /* locations that were propagated */
        VEC(struct constraint) constraints;
        bool queued, widened;
};

#define POINTS_ENOUGH  UINT64_C(100000000) /* steps, then sets are made smaller */
#define POINTS_EMPTY   0u
#define POINTS_ESCAPED 1u /* what flows here may be reached by unknown code */

struct points {
        struct cells cells;
        VEC(struct node) nodes;
        VEC(uint32_t) queue;
        uint64_t *copies; /* pairs that have a C_COPY, a set */
        uint32_t copy_bits;
        uint64_t n_copies;
        uint64_t work, enough, most; /* enough: then it widens; most: it gives up */
        /* A function is called, or has escaped (call is UINT32_MAX). */
        void (*called)(void *owner, uint32_t call, uint32_t object);
        void *owner;
};

void points_init(struct points *p);
void points_fini(struct points *p);
uint32_t points_node(struct points *p);
void points_add(struct points *p, uint32_t node, uint32_t loc);
void points_constrain(struct points *p, uint32_t node, struct constraint c);
void points_copy(struct points *p, uint32_t from, uint32_t to);
/* The nodes of a cell exist. */
uint32_t points_cell(struct points *p, uint32_t loc, uint32_t size);
/* false: too much work. */
bool points_solve(struct points *p);
bool points_has(const struct points *p, uint32_t node, uint32_t loc);

#endif
