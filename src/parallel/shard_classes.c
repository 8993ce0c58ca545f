/*
 * Executions by hash.  Invariant: there are at most SHARD_CLASSES of them, and each names something in `shown`, which has every
 * combination once.
 */
#include "parallel/shard_classes.h"

bool shard_classes_full(const struct shard_classes *c)
{
        return c->classes.n >= SHARD_CLASSES;
}

bool shard_classes_add(struct shard_classes *c, uint64_t hash, const struct result_shown *shown)
{
        uint64_t key = (uint64_t)shown->outcome << 32 | (uint64_t)shown->finding << 1 | !!shown->assumed;
        uintptr_t at = (uintptr_t)ptrmap_find(&c->shown_at, key);

        if (!at) {
                if (!vec_reserve(&c->shown, 1) || ptrmap_insert(&c->shown_at, key, (void *)(uintptr_t)(c->shown.n + 1)))
                        return false;
                *vec_push(&c->shown) = *shown;
                at = c->shown.n;
        }
        if (!vec_reserve(&c->classes, 1))
                return false;
        *vec_push(&c->classes) = (struct result_class){.hash = hash, .shown = (uint32_t)at - 1};
        return true;
}

void shard_classes_hand_over(struct shard_classes *c, struct result_shard *r)
{
        r->classes = c->classes.at;
        r->n_classes = c->classes.n;
        r->shown = c->shown.at;
        r->n_shown = c->shown.n;
        ptrmap_fini(&c->shown_at, NULL);
        *c = (struct shard_classes){.shown_at = PTRMAP_INIT};
}

void shard_classes_reset(struct shard_classes *c)
{
        vec_fini(&c->classes);
        vec_fini(&c->shown);
        ptrmap_fini(&c->shown_at, NULL);
        c->shown_at = (struct ptrmap)PTRMAP_INIT;
}
