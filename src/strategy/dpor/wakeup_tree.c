/* The pool of steps. */
#include "strategy/dpor/wakeup_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "op/op.h"

/* A try that failed, a signal that found no waiter, and an operation of a plugin that left the state as it was only read.
 * What is not SURE may do anything. */
enum wakeup_sure wakeup_sure_of(uint32_t op, const struct wire_access *a, uint32_t n)
{
        bool load = n > 1 && op_has(op, OPF_LOADS);

        for (uint32_t i = 0; i < n && load; i++)
                load = a[i].op == OP_FORWARD; /* one load, of bytes in the own buffer and in memory */
        if (n > 1 && !load)
                return op == OP_COND_WAIT && n == 2 ? WAKEUP_SURE : WAKEUP_GUESS;
        if (op_has(op, OPF_SURE))
                return WAKEUP_SURE;
        if (op_has(op, OPF_SURE_WRITTEN))
                return n && a->mode == WIRE_MODE_WRITE ? WAKEUP_SURE : WAKEUP_PLACE;
        if (op < OP_USER)
                return WAKEUP_GUESS;
        return n && a->mode != WIRE_MODE_READ ? WAKEUP_SURE : WAKEUP_PLACE;
}

uint32_t wakeup_tree_add(struct wakeup_tree *w, uint16_t actor, uint8_t op, const struct wire_access *acc, uint32_t n,
                         enum wakeup_sure sure)
{
        struct wakeup_step s = {.actor = actor, .op = op, .sure = (uint8_t)sure, .n_acc = n};
        uint32_t i = w->unused;

        if (n > 1) {
                s.many = malloc(n * sizeof *acc);
                if (!s.many)
                        return 0;
                memcpy(s.many, acc, n * sizeof *acc);
        } else if (n) {
                s.one = *acc;
        }
        if (i) {
                w->unused = w->steps.at[i].next;
        } else {
                if (!vec_reserve(&w->steps, 2)) {
                        if (n > 1)
                                free(s.many);
                        return 0;
                }
                w->steps.n += w->steps.n == 0; /* number 0 is none */
                i = w->steps.n++;
        }
        w->steps.at[i] = s;
        return i;
}

void wakeup_tree_drop(struct wakeup_tree *w, uint32_t step)
{
        struct wakeup_step *s = &w->steps.at[step];

        if (s->n_acc > 1)
                free(s->many);
        s->n_acc = 0;
        s->child = 0;
        s->next = w->unused;
        w->unused = step;
}

void wakeup_tree_drop_list(struct wakeup_tree *w, uint32_t list)
{
        while (list) { /* the children are put in front of what is left to do */
                uint32_t child = w->steps.at[list].child, next = w->steps.at[list].next;

                wakeup_tree_drop(w, list);
                list = child ? child : next;
                if (!child || !next)
                        continue;
                while (w->steps.at[child].next)
                        child = w->steps.at[child].next;
                w->steps.at[child].next = next;
        }
}

void wakeup_tree_fini(struct wakeup_tree *w)
{
        for (uint32_t i = 1; i < w->steps.n; i++)
                if (w->steps.at[i].n_acc > 1)
                        free(w->steps.at[i].many);
        vec_fini(&w->steps);
        w->unused = 0;
}

/* In a stream a list is its steps, each followed by what comes after it: LAST ends a list, LEAF has nothing after it. */
enum { LAST = 1, LEAF = 2, EMPTY = 4 };

void wakeup_tree_put_none(struct stream *out)
{
        stream_put_u32(out, EMPTY);
}

bool wakeup_tree_get_none(struct stream *in)
{
        return stream_get_u32(in) == EMPTY && !in->failed;
}

static void put_step(const struct wakeup_step *s, struct stream *out)
{
        stream_put_u32(out, (s->next ? 0 : LAST) | (s->child ? 0 : LEAF));
        stream_put_u32(out, (uint32_t)s->actor << 16 | (uint32_t)s->op << 8 | s->sure);
        stream_put_array(out, wakeup_tree_footprint(s), s->n_acc, sizeof s->one);
}

void wakeup_tree_put(const struct wakeup_tree *w, uint32_t list, struct stream *out)
{
        VEC(uint32_t) left = {0}; /* steps whose successors are still to be written */

        if (!list)
                wakeup_tree_put_none(out);
        while (list) {
                const struct wakeup_step *s = &w->steps.at[list];

                put_step(s, out);
                if (s->child && s->next) {
                        if (!vec_reserve(&left, 1)) {
                                out->failed = true;
                                break;
                        }
                        *vec_push(&left) = s->next;
                }
                list = s->child ? s->child : s->next;
                if (!list && left.n)
                        list = left.at[--left.n];
        }
        vec_fini(&left);
}

/* 0: it is malformed, or out of memory. */
static uint32_t get_step(struct wakeup_tree *w, uint32_t flags, struct stream *in)
{
        uint32_t head = stream_get_u32(in), n, step = 0;
        struct wire_access *acc = stream_get_array(in, 1u << 28, sizeof *acc, &n);
        bool ok = !in->failed && flags <= (LAST | LEAF) && head >> 16 < WIRE_MAX_THREADS &&
                  (head >> 8 & 255) < OP_COUNT && (head & 255) <= WAKEUP_SURE;

        for (uint32_t i = 0; ok && i < n; i++)
                ok = acc[i].mode < WIRE_MODES && acc[i].op < OP_COUNT;
        if (ok)
                step = wakeup_tree_add(w, (uint16_t)(head >> 16), (uint8_t)(head >> 8), acc, n,
                                       (enum wakeup_sure)(head & 255));
        free(acc);
        return step;
}

bool wakeup_tree_get(struct wakeup_tree *w, uint32_t *list, struct stream *in)
{
        VEC(uint32_t) left = {0}; /* steps that have a successor */
        uint32_t flags = stream_get_u32(in), before = 0;
        bool down = false, more = flags != EMPTY, ok = !in->failed;

        *list = 0;
        while (more && ok) {
                uint32_t step = get_step(w, flags, in);

                ok = step && vec_reserve(&left, 1);
                if (!ok)
                        break;
                *(!before ? list : down ? &w->steps.at[before].child : &w->steps.at[before].next) = step;
                down = !(flags & LEAF);
                more = down || !(flags & LAST) || left.n;
                if (down && !(flags & LAST))
                        *vec_push(&left) = step;
                before = down || !(flags & LAST) ? step : left.n ? left.at[--left.n] : 0;
                if (more)
                        flags = stream_get_u32(in);
        }
        vec_fini(&left);
        return ok && !in->failed;
}

/* One more reference to a step, unless it has one: then it would be in two lists. */
static bool refer(const struct wakeup_tree *w, bool *referred, uint32_t step)
{
        if (!step)
                return true;
        if (step >= w->steps.n || referred[step])
                return false;
        return referred[step] = true;
}

bool wakeup_tree_check(const struct wakeup_tree *w)
{
        bool *referred = calloc(w->steps.n + 1u, sizeof *referred), ok;

        if (!referred)
                memory_out();
        ok = refer(w, referred, w->unused);
        for (uint32_t i = w->unused, n = 0; i && ok; i = w->steps.at[i].next)
                ok = ++n < w->steps.n && !w->steps.at[i].n_acc && !w->steps.at[i].child;
        for (uint32_t i = 1; i < w->steps.n && ok; i++) {
                const struct wakeup_step *s = &w->steps.at[i];

                ok = s->sure <= WAKEUP_SURE && s->actor < WIRE_MAX_THREADS && refer(w, referred, s->next) &&
                     refer(w, referred, s->child);
        }
        free(referred);
        return ok;
}
