/*
 * Wakeup trees: what must still be run from a node, as sequences of steps with common beginnings.
 *
 * Steps live in one pool and are named by their number, 0 being none.  The steps that may come next form a list in the
 * order in which they are to be tried; each has the list of those that follow it.
 *
 *     list -> a -> c        the sequences  a b e,  a d,  c
 *             |
 *             b -> d
 *             |
 *             e
 */
#ifndef HEDDLE_STRATEGY_DPOR_WAKEUP_TREE_H
#define HEDDLE_STRATEGY_DPOR_WAKEUP_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"
#include "base/vec.h"
#include "wire/wire.h"

/* What is known of the footprint of a transition that has not been run yet. */
enum wakeup_sure {
        WAKEUP_WAITS, /* it may not be possible there at all: nothing but what asks for it relies on it */
        WAKEUP_GUESS, /* it was this where other things came before it */
        WAKEUP_PLACE, /* ... and will be no other place, but perhaps a write */
        WAKEUP_SURE,  /* it will be this */
};

/* Is what an operation touched what it would touch without some of what came before it too? */
enum wakeup_sure wakeup_sure_of(uint32_t op, const struct wire_access *a, uint32_t n);

struct wakeup_step {
        uint32_t next, child;
        uint16_t actor;
        uint8_t op;
        uint8_t sure;   /* enum wakeup_sure */
        uint32_t n_acc; /* footprint: `one`, or `many` from 2 on */
        union {
                struct wire_access one;
                struct wire_access *many;
        };
};

struct wakeup_tree {
        VEC(struct wakeup_step) steps;
        uint32_t unused; /* a list */
};

void wakeup_tree_fini(struct wakeup_tree *w);

/* A new step, in no list yet; 0: out of memory. */
uint32_t wakeup_tree_add(struct wakeup_tree *w, uint16_t actor, uint8_t op, const struct wire_access *acc, uint32_t n,
                         enum wakeup_sure sure);

/* Gives back one step, and a list with all that follows its steps. */
void wakeup_tree_drop(struct wakeup_tree *w, uint32_t step);
void wakeup_tree_drop_list(struct wakeup_tree *w, uint32_t list);

/* A list, with all that follows its steps, in a stream, and back.  false: out of memory, or it is malformed; the part that
 * was read is in *list. */
void wakeup_tree_put(const struct wakeup_tree *w, uint32_t list, struct stream *out);
bool wakeup_tree_get(struct wakeup_tree *w, uint32_t *list, struct stream *in);
/* The empty list. */
void wakeup_tree_put_none(struct stream *out);
bool wakeup_tree_get_none(struct stream *in);

/* Do the invariants hold?  Every step is in one list at most, as an alternative or as the first of those that follow another, and
 * the unused ones are a list. */
bool wakeup_tree_check(const struct wakeup_tree *w);

static inline struct wakeup_step *wakeup_tree_at(const struct wakeup_tree *w, uint32_t step)
{
        return &w->steps.at[step];
}

static inline const struct wire_access *wakeup_tree_footprint(const struct wakeup_step *s)
{
        return s->n_acc > 1 ? s->many : &s->one;
}

#endif
