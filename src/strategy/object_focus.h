/*
 * What executions of WIRE_TAIL_FOCUS look at: one object that several threads use, and how often each does.
 */
#ifndef HEDDLE_STRATEGY_OBJECT_FOCUS_H
#define HEDDLE_STRATEGY_OBJECT_FOCUS_H

#include "base/vec.h"
#include "strategy/strategy.h"

struct focus_use { /* of an object by an actor */
        uint64_t obj;
        uint32_t actor;
        uint32_t count;
        uint32_t writes; /* 0: none of them does */
};

struct focus_object {
        uint32_t first, n; /* its uses */
        uint32_t count;    /* of all of them */
};

struct object_focus {
        VEC(struct focus_use) uses;       /* by object, then by actor */
        VEC(struct focus_use) now, both;  /* of the execution that is learnt, and with those before */
        VEC(struct focus_object) objects; /* which one writes and others use, those that are used least first */
        VEC(uint32_t) weights;            /* of the schedule that was given last */
};

void object_focus_fini(struct object_focus *f);
void object_focus_reset(struct object_focus *f);
/* Adds what an execution uses: the most that was seen of each actor counts; false: out of memory. */
bool object_focus_learn(struct object_focus *f, const struct trace *t);
/* The focus of execution n: each object in its turn; none if none is known. */
void object_focus_set(struct object_focus *f, uint64_t n, struct schedule *out);
void object_focus_save(const struct object_focus *f, struct stream *out);
/* false: the input is malformed, or out of memory. */
bool object_focus_load(struct object_focus *f, struct stream *in);

#endif
