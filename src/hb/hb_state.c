/*
 * Happens-before states.
 *
 * A transition's mark is made of its actor, its entries, and the marks of the last transitions of each actor that happen
 * before it.  The graph of a state is the set of the marks of its transitions; since each mark represents its whole past,
 * the last ones of all actors say the same.  Marks are hashes of 64 bits, and a state is their sum; or, exactly, numbers
 * of sequences that are kept and compared word by word, and a state is the number of the sequence of last marks.
 *
 * Weak memory: what waits in buffers follows from the stores, which are entries of their threads' transitions, and the
 * flushes.  That a load had bytes from the own buffer is not in its mark: by program order and the order of flushes
 * and writes the graph tells which store it had them from, and before and after the flush of that it is the same load.
 *
 * An actor whose transition comes later in the trace would perform the same operation now: so the state after it is
 * foreseen, and need not be run to be recognised.
 */
#include "hb/hb_state.h"

#include <string.h>

#include "base/hash.h"
#include "base/deadline.h"
#include "base/search.h"
#include "op/op.h"

bool hb_states_init(struct hb_states *h, bool exact)
{
        *h = (struct hb_states){.exact = exact};
        return causality_init(&h->causality);
}

void hb_states_fini(struct hb_states *h)
{
        causality_fini(&h->causality);
        vec_fini(&h->entries);
        vec_fini(&h->marks);
        vec_fini(&h->words);
        vec_fini(&h->last);
        intern_fini(&h->transitions);
        intern_fini(&h->states);
}

void hb_states_reset(struct hb_states *h)
{
        intern_reset(&h->transitions);
        intern_reset(&h->states);
        h->failed = false;
}

/* Hashes represent themselves. */
void hb_states_save(const struct hb_states *h, struct stream *out)
{
        if (!h->exact)
                return;
        intern_save(&h->transitions, out);
        intern_save(&h->states, out);
}

bool hb_states_load(struct hb_states *h, struct stream *in)
{
        hb_states_reset(h);
        return !h->exact || (intern_load(&h->transitions, in) && intern_load(&h->states, in));
}

/* Of a transition with these entries and this past, the actor's own being the transition `prev`. */
static uint64_t mark_of(struct hb_states *h, const struct wire_event *e, uint32_t n, const uint32_t *clock,
                        uint32_t prev)
{
        uint64_t hash = 0;

        h->words.n = 0;
        if (!vec_reserve(&h->words, 3 + 3 * n + 2 * h->causality.stride)) {
                h->failed = true;
                return 1;
        }
        *vec_push(&h->words) = e->actor;
        *vec_push(&h->words) = prev == CAUSALITY_NONE ? 0 : h->marks.at[prev];
        *vec_push(&h->words) = 0;
        for (uint32_t i = 0; i < n; i++) {
                bool load = op_has(e[i].op, OPF_LOADS);

                if (e[i].op == OP_FORWARD)
                        continue;
                *vec_push(&h->words) = e[i].obj;
                *vec_push(&h->words) = (uint64_t)e[i].size << 16 | (uint64_t)e[i].op << 8 | (load ? 0 : e[i].mode);
                *vec_push(&h->words) = e[i].choice;
                h->words.at[2]++;
        }
        for (uint32_t r = 0; r < h->causality.stride; r++)
                if (r != e->actor && clock[r]) {
                        *vec_push(&h->words) = r;
                        *vec_push(&h->words) = h->marks.at[clock[r] - 1];
                }
        if (h->exact) {
                hash = intern_get(&h->transitions, h->words.at, h->words.n);
                h->failed |= !hash;
                return hash;
        }
        for (uint32_t i = 0; i < h->words.n; i++)
                hash = hash_mix(hash, h->words.at[i]);
        return hash ? hash : 1;
}

uint32_t hb_states_length(const struct trace *t, uint32_t from)
{
        uint32_t n = 1;

        while (from + n < t->n_events && !(t->events[from + n].flags & WIRE_EV_SCHED))
                n++;
        return n;
}

static bool no_race(void *arg, uint32_t i, uint32_t actor, const uint32_t *past)
{
        (void)arg, (void)i, (void)actor, (void)past;
        return true;
}

bool hb_states_divide(struct hb_states *h, const struct trace *t)
{
        uint32_t at = 0;

        h->trace = t;
        h->entries.n = 0;
        if (!vec_reserve(&h->entries, t->n_transitions + 1))
                return false;
        while (at < t->n_events && !(t->events[at].flags & WIRE_EV_SCHED))
                at++;
        for (; at < t->n_events; at += hb_states_length(t, at))
                *vec_push(&h->entries) = at;
        return true;
}

bool hb_states_take(struct hb_states *h, const struct trace *t)
{
        causality_reset(&h->causality);
        h->marks.n = 0;
        if (!hb_states_divide(h, t) || !vec_reserve(&h->marks, t->n_transitions + 1) ||
            !causality_prologue(&h->causality, t->events, h->entries.n ? h->entries.at[0] : t->n_events))
                return false;
        for (uint32_t k = 0; k < h->entries.n && !late_soon(); k++) {
                uint32_t at = h->entries.at[k], n = hb_states_length(t, at);

                if (!causality_push(&h->causality, &t->events[at], n, no_race, NULL))
                        return false;
                uint64_t mark =
                        mark_of(h, &t->events[at], n, causality_clock(&h->causality, k), h->causality.trans.at[k].prev);
                *vec_push(&h->marks) = mark;
        }
        h->last.n = 0;
        if (!vec_reserve(&h->last, h->causality.stride + 1))
                return false;
        memset(h->last.at, 0, (h->causality.stride + 1) * sizeof *h->last.at);
        h->last.n = h->causality.stride;
        h->sum = 0;
        return !h->failed;
}

void hb_states_step(struct hb_states *h, uint32_t k)
{
        h->last.at[h->causality.trans.at[k].actor] = h->marks.at[k];
        h->sum += h->marks.at[k];
}

uint64_t hb_states_number(struct hb_states *h)
{
        uint32_t n = h->last.n, number;

        if (!h->exact)
                return h->sum;
        while (n && !h->last.at[n - 1])
                n--;
        number = intern_get(&h->states, h->last.at, n);
        h->failed |= !number;
        return number;
}

uint32_t hb_states_next_of(const struct hb_states *h, uint32_t actor, uint32_t k)
{
        const struct causality_list *all;
        uint32_t at;

        if (actor >= h->causality.stride)
                return CAUSALITY_NONE;
        all = &h->causality.actors[actor].all;
        at = SEARCH(i, all->n, all->at[i] < k);
        return at < all->n ? all->at[at] : CAUSALITY_NONE;
}

static void join(const struct hb_states *h, uint32_t *to, uint32_t trans)
{
        const uint32_t *from = causality_clock(&h->causality, trans);

        for (uint32_t i = 0; i < h->causality.stride; i++)
                to[i] = from[i] > to[i] ? from[i] : to[i];
}

static bool conflict(const struct trace *t, uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
        uint32_t one = t->events[a].actor, other = t->events[b].actor;

        if (trace_is_buffer(t, one) != trace_is_buffer(t, other) && trace_owner(t, one) == trace_owner(t, other))
                return false;
        for (uint32_t i = a; i < a + n; i++)
                for (uint32_t k = b; k < b + m; k++) {
                        const struct wire_event *x = &t->events[i], *y = &t->events[k];
                        if (x->obj < y->obj + y->size && y->obj < x->obj + x->size &&
                            op_modes_conflict(x->mode, y->mode))
                                return true;
                }
        return false;
}

/* How much of a transition there would be from the state before k: a thread that joins one that has ended continues at
 * once to join the next, if that has ended too. */
static uint32_t length_before(const struct hb_states *h, uint32_t at, uint32_t k)
{
        uint32_t n = hb_states_length(h->trace, at);

        for (uint32_t i = 1; i < n; i++)
                if (h->trace->events[at + i].op == OP_JOIN &&
                    hb_states_next_of(h, h->trace->events[at + i].choice, k) != CAUSALITY_NONE)
                        return i;
        return n;
}

/* What the transition j of the trace would be from the state before k.  It may be wrong where footprints depend on data, or
 * conflicting operations commute.  Then it is part of no state that was reached: one that has the same graph, less this
 * transition, would have shown what the transition really is. */
static uint64_t foreseen_mark(struct hb_states *h, uint32_t j, uint32_t k)
{
        const struct causality *c = &h->causality;
        const struct trace *t = h->trace;
        const uint32_t *late = causality_clock(c, j);
        uint32_t at = h->entries.at[j], n = length_before(h, at, k), prev = c->trans.at[j].prev, clock[c->stride];
        bool same = true;

        for (uint32_t r = 0; r < c->stride; r++)
                same = same && (r == t->events[at].actor || late[r] <= k);
        if (same)
                return mark_of(h, &t->events[at], n, late, prev);
        memset(clock, 0, sizeof clock);
        if (prev != CAUSALITY_NONE)
                join(h, clock, prev);
        for (uint32_t r = 0; r < c->stride; r++)
                if (r != t->events[at].actor && late[r] && late[r] <= k)
                        join(h, clock, late[r] - 1);
        for (uint32_t i = 0; i < k && !late_soon(); i++)
                if (conflict(t, at, n, h->entries.at[i], hb_states_length(t, h->entries.at[i])))
                        join(h, clock, i);
        return mark_of(h, &t->events[at], n, clock, prev);
}

uint64_t hb_states_foresee(struct hb_states *h, uint32_t j, uint32_t k)
{
        uint64_t mark = foreseen_mark(h, j, k), *last = &h->last.at[h->causality.trans.at[j].actor], before = *last,
                 number;

        if (!h->exact)
                return h->sum + mark;
        *last = mark;
        number = hb_states_number(h);
        *last = before;
        return number;
}
