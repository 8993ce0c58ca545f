/*
 * Races by happens-before.
 *
 * For each granule of 8 bytes there is a list of accesses: for each thread, place, kind and set of bytes the last one.
 * An earlier access of the same is not needed: what happens after the last one happens after all, so whatever races with
 * an earlier one races with the last one too, and it is the places that are reported.
 *
 * `free` ends a history.  What comes after it at the same address belongs to another block, or is a use after free: pairs
 * around a free, or of one and what follows, are not races but recycled memory (Blum and Gibson, OOPSLA 2016, section 5.2, where it is shown that a
 * true race shows itself in another execution without the free in between).
 */
#include "analysis/race.h"

#include <string.h>

#include "base/deadline.h"
#include "op/op.h"

void race_init(struct race_detector *d, bool limited)
{
        memset(d, 0, sizeof *d);
        d->limited = limited;
}

void race_fini(struct race_detector *d)
{
        if (d->begun)
                sync_fini(&d->sync);
        vec_fini(&d->events);
        vec_fini(&d->steps);
        vec_fini(&d->records);
        vec_fini(&d->changes);
        vec_fini(&d->found);
        vec_fini(&d->pairs);
        vec_fini(&d->delayed);
        free(d->slots);
}

void race_reset(struct race_detector *d)
{
        bool limited = d->limited;

        race_fini(d);
        race_init(d, limited);
}

/* Clocks of so many threads, and room for store buffers with numbers below n_actors; whatever was checked is forgotten, but
 * the pairs are not. */
static bool begin(struct race_detector *d, uint32_t n_threads, uint32_t n_actors)
{
        uint32_t width = d->begun ? d->sync.width : 4, n = d->begun ? d->n_actors : 4;

        while (width < n_threads)
                width *= 2;
        while (n < n_actors)
                n *= 2;
        if (d->begun)
                sync_fini(&d->sync);
        d->events.n = d->steps.n = d->records.n = d->changes.n = d->found.n = d->delayed.n = 0;
        d->begun = sync_init(&d->sync, width, d->limited);
        if (!d->begun || !vec_reserve(&d->sync.cells, 2 * n))
                return false;
        d->n_actors = n;
        d->buffers = d->sync.cells.n;
        memset(&d->sync.cells.at[d->buffers], 0, 2 * n * sizeof *d->sync.cells.at);
        d->sync.cells.n += 2 * n;
        for (uint32_t i = 0; i < d->pairs.n; i++) {
                if (!vec_reserve(&d->sync.cells, 1))
                        return false;
                d->pairs.at[i].cell = d->sync.cells.n;
                *vec_push(&d->sync.cells) = 0;
        }
        return true;
}

/* Pairs. */

static uint64_t key_of(const struct race_pair *p)
{
        uint64_t h = (p->site[0] << 3 | p->kind[0]) * UINT64_C(0x9e3779b97f4a7c15);

        return ((h ^ h >> 29) + (p->site[1] << 3 | p->kind[1])) * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint32_t *slot_of(const struct race_detector *d, const struct race_pair *p)
{
        uint32_t i = (uint32_t)(key_of(p) >> (64 - d->slot_bits)), mask = (1u << d->slot_bits) - 1;

        for (;; i = (i + 1) & mask) {
                const struct race_pair *q = d->slots[i] ? &d->pairs.at[d->slots[i] - 1] : NULL;
                if (!q || (q->site[0] == p->site[0] && q->site[1] == p->site[1] && q->kind[0] == p->kind[0] &&
                           q->kind[1] == p->kind[1]))
                        return &d->slots[i];
        }
}

static bool need_slots(struct race_detector *d)
{
        if (d->slots && d->pairs.n * 2 < 1u << d->slot_bits)
                return true;
        free(d->slots);
        d->slot_bits = d->slot_bits ? d->slot_bits + 1 : 6;
        d->slots = calloc((size_t)1 << d->slot_bits, sizeof *d->slots);
        for (uint32_t i = 0; d->slots && i < d->pairs.n; i++)
                *slot_of(d, &d->pairs.at[i]) = i + 1;
        return d->slots != NULL;
}

static bool in_order(const struct race_record *a, const struct race_record *b)
{
        if (a->site != b->site)
                return a->site < b->site;
        return a->kind != b->kind ? a->kind < b->kind : a->actor < b->actor;
}

static struct race_pair pair_of(const struct race_record *early, const struct race_record *late, bool *forward)
{
        *forward = in_order(early, late);
        const struct race_record *a = *forward ? early : late, *b = *forward ? late : early;

        return (struct race_pair){.site = {a->site, b->site}, .kind = {a->kind, b->kind}, .race = UINT32_MAX};
}

static void seen_in_order(struct race_detector *d, struct race_pair *p, bool forward)
{
        uint8_t bit = forward ? RACE_FORWARD : RACE_BACKWARD;

        if (p->orders & bit)
                return;
        p->orders |= bit;
        p->turned = d->turned = true;
}

/* The pair of two accesses, which come in this order; UINT32_MAX without memory. */
static uint32_t note_pair(struct race_detector *d, const struct race_record *early, const struct race_record *late,
                          bool *forward)
{
        struct race_pair p = pair_of(early, late, forward);
        uint32_t *slot;

        if (!need_slots(d) || !vec_reserve(&d->pairs, 1) || !vec_reserve(&d->sync.cells, 1))
                return UINT32_MAX;
        slot = slot_of(d, &p);
        if (!*slot) {
                p.cell = d->sync.cells.n;
                *vec_push(&d->sync.cells) = 0;
                *vec_push(&d->pairs) = p;
                *slot = d->pairs.n;
        }
        seen_in_order(d, &d->pairs.at[*slot - 1], *forward);
        return *slot - 1;
}

static bool found_race(struct race_detector *d, const struct race_record *early, const struct race_record *late)
{
        bool forward;
        uint32_t i = note_pair(d, early, late, &forward);

        if (i == UINT32_MAX || !vec_reserve(&d->found, 1))
                return false;
        if (d->sync.cells.at[d->pairs.at[i].cell])
                return true;
        sync_set(&d->sync, d->pairs.at[i].cell, 1);
        *vec_push(&d->found) = (struct race_found){.pair = i,
                                                   .early = early->entry,
                                                   .late = late->entry,
                                                   .upto = d->events.n - 1,
                                                   .held = {early->held, late->held},
                                                   .forward = forward};
        return true;
}

/* Accesses. */

/* Do they hold a lock that keeps them apart? */
static bool common_lock(const struct sync *s, uint32_t a, uint32_t b)
{
        for (uint32_t i = a; i; i = s->locks.at[i - 1].next)
                for (uint32_t k = b; k; k = s->locks.at[k - 1].next) {
                        const struct sync_lock *x = &s->locks.at[i - 1], *y = &s->locks.at[k - 1];
                        if (x->obj == y->obj && x->kind == y->kind && !(x->shared && y->shared))
                                return true;
                }
        return false;
}

static bool compare(struct race_detector *d, const struct race_record *r, const struct race_record *now,
                    const uint32_t *clock)
{
        bool forward;

        if (r->actor == now->actor || !(r->mask & now->mask) || !(race_is_write(r->kind) || race_is_write(now->kind)) ||
            (race_is_atomic(r->kind) && race_is_atomic(now->kind)))
                return true;
        if (!race_is_end(r->kind) && clock[r->actor] < r->epoch &&
            !(d->limited && common_lock(&d->sync, r->held, now->held)))
                return found_race(d, r, now);
        return note_pair(d, r, now, &forward) != UINT32_MAX; /* in which order they come is worth knowing */
}

/* Compares an access with the history that begins in a cell, and makes it a part of that. */
static bool access_granule(struct race_detector *d, uint32_t cell, struct race_record *now, const uint32_t *clock)
{
        uint32_t same = 0;

        for (uint32_t i = d->sync.cells.at[cell], next; i; i = next) {
                const struct race_record *r = &d->records.at[i - 1];

                if (late_soon())
                        break;
                next = r->next;
                if (r->actor == now->actor && r->site == now->site && r->kind == now->kind && r->mask == now->mask &&
                    (!d->limited || r->held == now->held))
                        same = i;
                else if (!compare(d, r, now, clock))
                        return false;
        }
        if (race_is_end(now->kind)) {
                sync_set(&d->sync, cell, 0);
                same = 0;
        }
        if (same) {
                struct race_record *r = &d->records.at[same - 1];
                if (!vec_reserve(&d->changes, 1))
                        return false;
                *vec_push(&d->changes) = (struct race_change){same - 1, *r};
                r->entry = now->entry;
                r->epoch = now->epoch;
                r->held = now->held;
                return true;
        }
        if (!vec_reserve(&d->records, 1))
                return false;
        now->next = d->sync.cells.at[cell];
        *vec_push(&d->records) = *now;
        sync_set(&d->sync, cell, d->records.n);
        return true;
}

static struct race_record record_of(const struct race_detector *d, const struct wire_event *e, uint32_t entry,
                                    uint8_t kind)
{
        return (struct race_record){.site = e->site,
                                    .entry = entry,
                                    .actor = e->actor,
                                    .kind = kind,
                                    .epoch = sync_epoch(&d->sync, e->actor),
                                    .held = sync_held(&d->sync, e->actor)};
}

static bool access(struct race_detector *d, const struct wire_event *e, uint32_t entry)
{
        uint64_t g = e->obj >> 3, last = (e->obj + (e->size ? e->size - 1 : 0)) >> 3;
        struct race_record now = record_of(d, e, entry, race_kind_of(e));

        for (; g <= last && e->size; g++) {
                uint32_t base = sync_granule(&d->sync, g, !race_is_end(now.kind));

                now.mask = race_mask(g, e->obj, e->size);
                if (base == UINT32_MAX) /* no thread has touched it */
                        continue;
                if (!op_quiet(e) && !access_granule(d, base, &now, sync_clock(&d->sync, sync_now(&d->sync, e->actor))))
                        return false;
                sync_memory(&d->sync, e, base, now.mask);
        }
        return true;
}

/* What the user observes when main returns is not an access of the program, so not a race of it. */
static void observe(struct race_detector *d, const struct wire_event *e)
{
        const uint32_t *clock = sync_clock(&d->sync, sync_now(&d->sync, e->actor));

        for (uint64_t g = e->obj >> 3; e->size && g <= (e->obj + e->size - 1) >> 3; g++) {
                uint32_t base = sync_granule(&d->sync, g, false);

                for (uint32_t i = base == UINT32_MAX ? 0 : d->sync.cells.at[base]; i; i = d->records.at[i - 1].next) {
                        const struct race_record *r = &d->records.at[i - 1];
                        if (r->actor != e->actor && race_is_write(r->kind) &&
                            (r->mask & race_mask(g, e->obj, e->size)) && clock[r->actor] < r->epoch)
                                d->observed = e->obj;
                }
        }
}

/* Weak memory. */

static const struct wire_event *load_of(const struct race_detector *d, uint32_t *entry)
{
        while (*entry > 0 && d->events.at[*entry].op == OP_FORWARD)
                --*entry;
        return &d->events.at[*entry];
}

/* Two cells of a buffer: its first store that has not reached memory, and the last one. */
static uint32_t buffer_cell(const struct race_detector *d, uint32_t actor)
{
        return d->buffers + 2 * actor;
}

/* Entry i is an access that comes later. */
static struct race_delayed *delay(struct race_detector *d, const struct wire_event *e, uint32_t entry, uint8_t kind)
{
        struct race_delayed *p;

        if (!vec_reserve(&d->delayed, 1))
                return NULL;
        p = vec_push(&d->delayed);
        *p = (struct race_delayed){.access = record_of(d, e, entry, kind),
                                   .obj = e->obj,
                                   .size = e->size,
                                   .clock = sync_now(&d->sync, e->actor),
                                   .buffer = UINT32_MAX};
        return p;
}

static bool store(struct race_detector *d, const struct wire_event *e, uint32_t entry)
{
        uint32_t cell = buffer_cell(d, e->choice), last = d->sync.cells.at[cell + 1];
        struct race_delayed *p = delay(d, e, entry, e->flags & WIRE_EV_ATOMIC ? RACE_ATOMIC_WRITE : RACE_WRITE);

        if (!p)
                return false;
        p->buffer = e->choice;
        p->released = sync_store(&d->sync, e);
        p->prev = last;
        p->number = last ? d->delayed.at[last - 1].number + 1 : 1;
        if (last)
                d->delayed.at[last - 1].next = d->delayed.n;
        if (!d->sync.cells.at[cell])
                sync_set(&d->sync, cell, d->delayed.n);
        sync_set(&d->sync, cell + 1, d->delayed.n);
        return true;
}

/* A load had these bytes from the own buffer. */
static bool forward(struct race_detector *d, const struct wire_event *e, uint32_t entry)
{
        uint32_t i = d->sync.cells.at[buffer_cell(d, WIRE_FORWARD_BUFFER(e->value) % d->n_actors) + 1];
        const struct wire_event *load = load_of(d, &entry);
        struct race_delayed *p;

        while (i && d->delayed.at[i - 1].number > WIRE_FORWARD_NUMBER(e->value))
                i = d->delayed.at[i - 1].prev;
        if (!i || op_quiet(load))
                return true;
        p = delay(d, e, entry, load->flags & WIRE_EV_ATOMIC ? RACE_ATOMIC_READ : RACE_READ);
        if (!p)
                return false;
        p->loads = i;
        p->prev = d->delayed.at[i - 1].loads;
        d->delayed.at[i - 1].loads = d->delayed.n;
        return true;
}

/* What was delayed comes now. */
static bool arrive(struct race_detector *d, const struct race_delayed *p, bool quiet)
{
        struct race_record now = p->access;

        for (uint64_t g = p->obj >> 3; p->size && g <= (p->obj + p->size - 1) >> 3; g++) {
                uint32_t base = sync_granule(&d->sync, g, true);

                now.mask = race_mask(g, p->obj, p->size);
                if (!quiet && !access_granule(d, base, &now, sync_clock(&d->sync, p->clock)))
                        return false;
                if (p->buffer != UINT32_MAX)
                        sync_flush(&d->sync, base, now.mask, p->released);
        }
        return true;
}

static bool flush(struct race_detector *d, const struct wire_event *e)
{
        uint32_t cell = buffer_cell(d, e->actor), i = d->sync.cells.at[cell];
        const struct race_delayed *p = i ? &d->delayed.at[i - 1] : NULL;
        bool more = p && p->next && p->next <= d->delayed.n && d->delayed.at[p->next - 1].buffer == p->buffer;

        if (!p)
                return true; /* the trace is malformed */
        sync_set(&d->sync, cell, more ? p->next : 0);
        if (e->op != OP_FLUSH) {
                sync_flush_object(&d->sync, e, p->released);
                return true;
        }
        if (!arrive(d, p, op_quiet(&d->events.at[p->access.entry])))
                return false;
        for (i = p->loads; i; i = d->delayed.at[i - 1].prev)
                if (!arrive(d, &d->delayed.at[i - 1], false))
                        return false;
        return true;
}

/* Entry i of the trace. */
static bool look(struct race_detector *d, const struct trace *t, uint32_t i)
{
        const struct wire_event *e = &t->events[i];
        struct wire_event part;

        if (e->weak & WIRE_WEAK_BUFFERED)
                return store(d, e, i);
        if (trace_is_buffer(t, e->actor))
                return !op_has(e->op, OPF_FLUSHES) || flush(d, e);
        if (e->mode == WIRE_MODE_FORWARD)
                return forward(d, e, i);
        if (e->op == OP_FORWARD) { /* a part of a load */
                part = *load_of(d, &i);
                part.obj = e->obj;
                part.size = e->size;
                part.mode = e->mode;
                return access(d, &part, i);
        }
        if (race_is_access(e))
                return access(d, e, i);
        if (e->op == OP_OBSERVE)
                observe(d, e);
        sync_step(&d->sync, e);
        return true;
}

/* One trace after the other. */

static void take_back(struct race_detector *d, uint32_t n)
{
        if (n >= d->steps.n)
                return;
        const struct race_step *s = &d->steps.at[n];
        while (d->changes.n > s->changes) {
                const struct race_change *c = &d->changes.at[--d->changes.n];
                d->records.at[c->index] = c->old;
        }
        while (d->delayed.n > s->delayed) {
                const struct race_delayed *p = &d->delayed.at[--d->delayed.n];
                if (p->buffer == UINT32_MAX)
                        d->delayed.at[p->loads - 1].loads = p->prev;
        }
        sync_back(&d->sync, s->sync);
        d->records.n = s->records;
        d->found.n = s->found;
        d->events.n = d->steps.n = n;
}

static uint32_t common(const struct race_detector *d, const struct trace *t)
{
        uint32_t n = d->events.n < t->n_events ? d->events.n : t->n_events;
        uint32_t i = d->run && t->repeats_of == d->run ? t->repeats : 0;

        while (i < n && !memcmp(&d->events.at[i], &t->events[i], sizeof *t->events))
                i++;
        return i < n ? i : n;
}

int race_look(struct race_detector *d, const struct trace *t)
{
        uint32_t n = trace_threads(t);

        if ((!d->begun || n > d->sync.width || t->n_threads > d->n_actors) && !begin(d, n, t->n_threads))
                return -1;
        take_back(d, common(d, t));
        d->run = t->run;
        if (!vec_reserve(&d->events, t->n_events) || !vec_reserve(&d->steps, t->n_events))
                return -1;
        for (uint32_t i = d->events.n; i < t->n_events && !late_soon(); i++) {
                *vec_push(&d->events) = t->events[i];
                *vec_push(&d->steps) =
                        (struct race_step){sync_mark(&d->sync), d->records.n, d->changes.n, d->found.n, d->delayed.n};
                if (!look(d, t, i))
                        return -1;
        }
        return d->sync.failed ? -1 : 0;
}
