/*
 * See places.h.
 *
 * A place is unknown until a thread comes to it twice without an effect in between.  Then the execution ends (WIRE_END_LOOP),
 * and the explorer runs it again with one more loop.  So threads that never come back pay next to nothing.
 */
#include "rt/loops/places.h"

#include "rt/loops/live.h"
#include "rt/loops/words.h"
#include "rt/memory/heap.h"
#include "rt/threads.h"

#define MAX_PLACES 16u
#define FAR_BACK   64u /* entries in which the same update is looked for */

struct place { /* a looking point that is not known to be in a loop */
        uintptr_t site;
        uint32_t event; /* entries up to there */
};

static struct places {
        uint32_t n;
        uint64_t sites;              /* bits of sites that may have a place */
        struct place at[MAX_PLACES]; /* a ring */
} places[WIRE_MAX_THREADS];

void places_reset(void)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                places[i].sites = places[i].n = 0;
}

bool places_lock(uint32_t op)
{
        return (op_order(op) == OP_TAKES || op_order(op) == OP_GIVES) && op_has(op, OPF_IN_STATES);
}

/* Has entry i, an atomic update, a forerunner of the same thread with the same result? */
static bool updates_again(uint32_t i)
{
        const struct wire_event *all = rt.up->events, *e = &all[i];

        for (uint32_t k = i; k-- > 0 && i - k < FAR_BACK;)
                if (all[k].actor == e->actor && all[k].op == e->op && all[k].obj == e->obj && all[k].value == e->value)
                        return true;
        return false;
}

/* Entry i is an atomic store, and perhaps the first of the thread to its place since `from`: is the value from before there?  What the
 * thread has read there since then tells that value, unless it has stored before. */
static bool may_be_restored(uint32_t i, uint32_t from)
{
        const struct wire_event *all = rt.up->events, *e = &all[i], *read = NULL;

        if (e->size > 8 || !memory_is_there(e->obj))
                return true;
        for (uint32_t k = i; k-- > 0 && i - k < FAR_BACK;) {
                const struct wire_event *a = &all[k];

                if (a->obj != e->obj || a->size != e->size || !op_has(a->op, OPF_ATOMIC))
                        continue;
                if (k >= from && a->actor == e->actor && a->op == OP_STORE)
                        return true;
                if (k < from || a->actor != e->actor || a->op != OP_LOAD) {
                        read = read ? read : a;
                        break;
                }
                read = a;
        }
        return !read || read->weak & WIRE_WEAK_UNSAID || word_at(e->obj, e->size) == read->value;
}

static bool may_lack_effect(const struct thread *t, uint32_t from)
{
        for (uint32_t i = ex.n_events; i-- > from;) {
                const struct wire_event *e = &rt.up->events[i];

                if (e->actor != t->id || (e->mode != WIRE_MODE_WRITE && e->mode != WIRE_MODE_COMMUTE))
                        continue;
                if (places_lock(e->op) || (e->op == OP_STORE && may_be_restored(i, from)))
                        continue;
                if ((e->op != OP_RMW && e->op != OP_UPDATE) || !updates_again(i))
                        return false;
        }
        return true;
}

static uint64_t bit_of(uintptr_t site)
{
        return UINT64_C(1) << ((site ^ site >> 6) % 64);
}

/* The first transitions of the prefix were run before, and nothing was found there. */
static bool is_repeated(void)
{
        return ex.n_transitions + rt.n_last < rt.n_prefix;
}

bool places_visit(const struct thread *t, uintptr_t site, uint32_t *before)
{
        struct places *all = &places[t->id];

        for (uint32_t i = 0; i < MAX_PLACES && i < all->n && all->sites & bit_of(site); i++) {
                struct place *p = &all->at[i];

                if (p->site != site)
                        continue;
                if (rt.down->n_loops < WIRE_MAX_LOOPS && !is_repeated() && may_lack_effect(t, p->event))
                        live_report(t, site);
                *before = p->event;
                p->event = ex.n_events;
                return true;
        }
        all->sites |= bit_of(site);
        all->at[all->n++ % MAX_PLACES] = (struct place){site, ex.n_events};
        return false;
}
