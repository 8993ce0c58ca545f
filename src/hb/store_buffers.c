/* Store buffers: the stores of each, with what happened before them, and the loads that had their value from one. */
#include "hb/store_buffers.h"

#include "hb/granules.h"
#include "op/op.h"

static bool remember(uint32_t i, struct causality_list *v)
{
        if (!vec_reserve(v, 1))
                return false;
        *vec_push(v) = i;
        return true;
}

static void join(const struct causality *c, uint32_t *to, uint32_t trans)
{
        const uint32_t *from = causality_clock(c, trans);

        for (uint32_t i = 0; i < c->stride; i++)
                to[i] = from[i] > to[i] ? from[i] : to[i];
}

bool buffered_store(struct causality *c, const struct wire_event *e)
{
        struct causality_actor *t = &c->actors[e->actor], *b = &c->actors[e->choice];
        struct causality_store *s;

        if (!b->owner) {
                b->owner = e->actor + 1u;
                b->buffers = t->buffers;
                t->buffers = e->choice + 1;
        }
        if (!vec_reserve(&c->stores, 1) || !remember(c->stores.n, &b->stores) || !remember(c->stores.n, &t->stores))
                return false;
        s = vec_push(&c->stores);
        *s = (struct causality_store){.last = t->last,
                                      .edges = t->edges,
                                      .loads = CAUSALITY_NONE,
                                      .buffer = (uint16_t)e->choice,
                                      .thread = e->actor,
                                      .number = b->stores.n};
        return true;
}

bool buffered_forward(struct causality *c, const struct wire_event *e, uint32_t trans)
{
        uint32_t buffer = WIRE_FORWARD_BUFFER(e->value), number = WIRE_FORWARD_NUMBER(e->value);
        struct causality_forward *f;
        struct causality_store *s;

        if (buffer >= c->stride || !number || number > c->actors[buffer].stores.n)
                return true; /* the trace is malformed; what is not known orders nothing */
        if (!vec_reserve(&c->forwards, 1))
                return false;
        s = &c->stores.at[c->actors[buffer].stores.at[number - 1]];
        f = vec_push(&c->forwards);
        *f = (struct causality_forward){.obj = e->obj,
                                        .size = e->size,
                                        .trans = trans,
                                        .prev = s->loads,
                                        .store = c->actors[buffer].stores.at[number - 1]};
        s->loads = c->forwards.n - 1;
        return true;
}

/* The store that the next flush of the buffer, or the last one, is of; NULL: there is none. */
static const struct causality_store *store_of(const struct causality *c, uint32_t buffer, bool last)
{
        const struct causality_actor *b = &c->actors[buffer];
        uint32_t i = b->all.n - last;

        return i < b->stores.n ? &c->stores.at[b->stores.at[i]] : NULL;
}

void buffered_flush(struct causality *c, const struct wire_event *e, uint32_t *base)
{
        const struct causality_store *s = store_of(c, e->actor, false);
        const struct causality_actor *t;

        if (!s)
                return;
        if (s->last != CAUSALITY_NONE)
                join(c, base, s->last);
        for (uint32_t i = s->edges; i != CAUSALITY_NONE; i = c->edges.at[i].prev)
                join(c, base, c->edges.at[i].from);
        t = &c->actors[s->thread];
        for (uint32_t i = 0; i + 1 < e->choice && i < t->stores.n; i++) { /* it stays behind these */
                const struct causality_store *before = &c->stores.at[t->stores.at[i]];
                const struct causality_actor *b = &c->actors[before->buffer];
                if (before->number <= b->all.n)
                        join(c, base, b->all.at[before->number - 1]);
        }
}

bool buffered_reads(struct causality *c, uint32_t buffer,
                    bool (*read)(struct causality *c, uint64_t obj, uint32_t size, uint32_t trans))
{
        const struct causality_store *s = store_of(c, buffer, false);

        for (uint32_t i = s ? s->loads : CAUSALITY_NONE; i != CAUSALITY_NONE; i = c->forwards.at[i].prev) {
                const struct causality_forward *f = &c->forwards.at[i];
                if (!read(c, f->obj, f->size, f->trans))
                        return false;
        }
        return true;
}

bool buffered_waits(const struct causality *c, uint32_t thread)
{
        for (uint32_t b = c->actors[thread].buffers; b; b = c->actors[b - 1].buffers)
                if (store_of(c, b - 1, false))
                        return true;
        return false;
}

void buffered_drained(struct causality *c, uint32_t thread, uint32_t *base)
{
        for (uint32_t b = c->actors[thread].buffers; b; b = c->actors[b - 1].buffers)
                if (c->actors[b - 1].last != CAUSALITY_NONE)
                        join(c, base, c->actors[b - 1].last);
}

void buffered_pop(struct causality *c, uint32_t stores, uint32_t forwards)
{
        while (c->forwards.n > forwards) {
                const struct causality_forward *f = &c->forwards.at[--c->forwards.n];
                c->stores.at[f->store].loads = f->prev;
        }
        while (c->stores.n > stores) {
                const struct causality_store *s = &c->stores.at[--c->stores.n];
                c->actors[s->buffer].stores.n--;
                c->actors[s->thread].stores.n--;
        }
}

/* The number of a flush in its buffer, from 1; its transitions are in order. */
static uint32_t number_of(const struct causality_actor *b, uint32_t trans)
{
        uint32_t low = 0, high = b->all.n;

        while (low < high) {
                uint32_t mid = low + (high - low) / 2;
                if (b->all.at[mid] <= trans)
                        low = mid + 1;
                else
                        high = mid;
        }
        return low;
}

struct parts {
        struct wire_access *out;
        uint32_t n;
        bool own; /* there is an own store among them */
};

/* The bytes of a granule that are in the mask, as accesses. */
static void add_parts(struct parts *p, const struct wire_access *like, uint64_t granule, uint32_t mask)
{
        for (uint32_t i = 0; i < 8; i++) {
                struct wire_access a = *like;

                if (!(mask >> i & 1) || p->n >= BUFFERED_PARTS)
                        continue;
                a.obj = (granule << 3) + i;
                for (a.size = 1; i + 1 < 8 && mask >> (i + 1) & 1; i++)
                        a.size++;
                p->out[p->n++] = a;
        }
}

static void split(const struct causality *c, const struct wire_event *e, uint64_t granule, uint32_t mask,
                  struct parts *p)
{
        struct wire_access a = op_access(e);

        a.op = OP_FORWARD;
        for (uint32_t k = granule_head(c, granule); k != CAUSALITY_NONE && mask; k = c->recs.at[k].unread) {
                const struct causality_rec *r = &c->recs.at[k];
                uint32_t buffer = c->trans.at[r->trans].actor;

                if (!(r->mask & mask) || r->mode != WIRE_MODE_WRITE || c->actors[buffer].owner != e->actor + 1u)
                        continue;
                a.mode = WIRE_MODE_FORWARD;
                a.value = WIRE_FORWARD(buffer, number_of(&c->actors[buffer], r->trans));
                add_parts(p, &a, granule, r->mask & mask);
                mask &= (uint32_t)~r->mask;
                p->own = true;
        }
        a.mode = WIRE_MODE_READ;
        a.value = 0;
        add_parts(p, &a, granule, mask);
}

uint32_t buffered_load(const struct causality *c, const struct wire_event *e, struct wire_access *out)
{
        struct parts p = {.out = out};
        bool load = op_has(e->op, OPF_LOADS) || e->op == OP_FORWARD;

        if (!load || e->mode != WIRE_MODE_READ || e->size > BUFFERED_PARTS / 2 || e->actor >= c->stride ||
            !c->actors[e->actor].buffers)
                return 0;
        for (uint64_t g = e->obj >> 3, last = (e->obj + e->size - 1) >> 3; g <= last; g++) {
                uint32_t lo = g << 3 > e->obj ? 0 : (uint32_t)e->obj & 7;
                uint32_t hi = (g << 3) + 8 < e->obj + e->size ? 8 : (uint32_t)(e->obj + e->size - (g << 3));

                split(c, e, g, ((1u << hi) - 1) & ~((1u << lo) - 1), &p);
        }
        return p.own ? p.n : 0;
}

/* A load from the own buffer reads memory once that store has reached it; until then it touches nothing. */
static struct wire_access by_now(const struct causality *c, const struct wire_access *a)
{
        uint32_t buffer = WIRE_FORWARD_BUFFER(a->value);
        struct wire_access now = *a;

        if (a->mode == WIRE_MODE_FORWARD)
                now.mode = buffer < c->stride && c->actors[buffer].all.n >= WIRE_FORWARD_NUMBER(a->value)
                                   ? WIRE_MODE_READ
                                   : WIRE_MODE_NONE;
        return now;
}

static bool is_own(const struct causality *c, const struct wire_access *a, const struct wire_access *b)
{
        return a->actor < c->stride && b->actor < c->stride && buffered_own(c, a->actor, b->actor);
}

bool buffered_wakes_now(const struct causality *c, const struct wire_access *sleeper, const struct wire_access *done)
{
        struct wire_access a = by_now(c, sleeper), b = by_now(c, done);

        return !is_own(c, &a, &b) && op_wakes(&a, &b);
}

bool buffered_touches_now(const struct causality *c, const struct wire_access *sleeper, const struct wire_access *done)
{
        struct wire_access a = by_now(c, sleeper), b = by_now(c, done);

        return !is_own(c, &a, &b) && op_overlap(&a, &b);
}
