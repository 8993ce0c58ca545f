/*
 * See spare.h and docs/proofs/loops.md.
 *
 * If a thread makes more rounds in one state than transactions abort because of them, one of these is not a cause, and can be removed.
 * So a thread stops after one more.  How many there are is learnt for each place: an execution in which it has stopped too early shows it.
 */
#include "rt/loops/spare.h"

#include "base/hash.h"
#include "op/op.h"
#include "rt/loops/cut_state.h"
#include "rt/loops/learnt.h"
#include "rt/loops/words.h"
#include "rt/notes.h"
#include "rt/threads.h"

#define MAX_SPARE 4u

/* Rounds that access this place may be causes of aborts: a thread stops after so many more of them. */
static uint64_t spare_hash(uint64_t obj, uint32_t n)
{
        return hash_mix(hash_mix(11, obj & ~UINT64_C(7)), n) | 1;
}

static uint32_t spare_at(uint64_t obj)
{
        uint32_t n = 0;

        while (n < MAX_SPARE && learnt_has(spare_hash(obj, n)))
                n++;
        return n;
}

uint32_t spare_rounds(const struct cut *c, const struct visit *v)
{
        uint32_t most = 0;

        for (uint32_t i = v->n_reads; i < c->n_reads && rt.down->n_wasted; i++) {
                uint32_t n = spare_at(c->reads[i].obj);
                most = n > most ? n : most;
        }
        for (uint32_t i = v->n_changes; i < c->n_changes && rt.down->n_wasted; i++) {
                uint32_t n = spare_at(c->changes[i].addr);
                most = n > most ? n : most;
        }
        return most;
}

/* Aborts of other threads that an access of stopped thread i to this place may have caused, since it began to loop.  Those in rounds that are
 * wasted need no cause. */
static uint32_t aborts_by(uint32_t i, const struct look *r, bool writes)
{
        uint32_t n = 0, before = 0;

        for (uint32_t k = cuts[i].since; k < ex.n_events; k++) {
                const struct wire_event *e = &rt.up->events[k];

                if (e->op == OP_TXN_TRY)
                        before = n;
                if (e->op != OP_TXN_LINE || e->actor == i || (cuts[e->actor].stopped && cuts[e->actor].since <= k))
                        continue;
                if (e->obj == WIRE_OBJ_TXN)
                        n = e->mode == WIRE_MODE_WRITE ? before : n; /* there was no cause */
                else
                        n += (writes || e->mode != WIRE_MODE_READ) && overlap(e->obj, e->size, r->obj, r->size);
        }
        return n;
}

/* A thread stops only after as many rounds as there are aborts that these may be the causes of. */
static void look_at(uint32_t i, const struct look *r, bool writes)
{
        uint32_t n = spare_at(r->obj);

        if (aborts_by(i, r, writes) <= n)
                return;
        if (n == MAX_SPARE)
                rt_note_incomplete(REASON_TXN_WAITERS, NULL);
        else
                learnt_restart(spare_hash(r->obj, n));
}

void spare_look(void)
{
        for (uint32_t i = 0; cut_n_stopped && rt.up->txn.offered && i < ex.n_threads; i++) {
                const struct cut *c = &cuts[i];

                for (uint32_t k = c->last; c->stopped && k < c->n_reads; k++)
                        if (c->reads[k].obj != WIRE_OBJ_TXN)
                                look_at(i, &c->reads[k], false);
                for (uint32_t k = c->last_change; c->stopped && k < c->n_changes; k++)
                        if (c->changes[k].shared)
                                look_at(i, &(struct look){.obj = c->changes[k].addr, .size = c->changes[k].size}, true);
        }
}
