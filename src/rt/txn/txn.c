/*
 * See txn.h.  Invariant: a transaction is one transition, or aborts before that.
 *
 * Choice values of OP_TXN: 0, it runs (OP_TXN_RUN); 1 to n, it aborts by the n-th code that may come from outside, after the
 * accesses of others to its lines if the code says that there was a conflict (OP_TXN_TRY); n + 1 (weak memory), it runs up to an
 * abort of its own (OP_TXN_TRY).  Run, it commits, or the program or a limit aborts it; a run before
 * this one has found that out (wire/txn.h).
 *
 * Weak memory: a commit waits for the store buffer of its thread, as a locked instruction does.  An abort waits for nothing.
 * Which of both it is follows from what the transaction reads.  So a thread that may have stores in its buffer decides
 * beforehand: with choice 0 it waits and must commit, with n + 1 it does not wait and must abort.  A run in which it does the other
 * is blocked, as by an assumption; what it read is in the trace, so that the strategy sees what would have changed that.
 */
#include "rt/txn/txn.h"

#include "rt/fault.h"
#include "rt/loops/await.h"
#include "rt/loops/spin.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/choice.h"
#include "rt/sched/end.h"
#include "rt/sched/failure.h"
#include "rt/sched/operation.h"
#include "rt/sched/sched.h"
#include "rt/threads.h"
#include "rt/trace/entry.h"
#include "rt/trace/log.h"
#include "rt/txn/speculation.h"
#include "rt/weak/mm.h"

/* The codes of aborts that come from outside. */
static const uint32_t *codes(bool tested, uint32_t *n)
{
        static const uint32_t one[] = {WIRE_TXN_RETRY}, all[] = {0, WIRE_TXN_RETRY, WIRE_TXN_CONFLICT | WIRE_TXN_RETRY};
        static const uint32_t stm[] = {WIRE_TXN_CONFLICT, WIRE_TXN_CONFLICT | WIRE_TXN_RETRY};

        if (rt.down->txn.codes.given) {
                *n = rt.down->txn.codes.n;
                return rt.down->txn.codes.at;
        }
        if (rt.down->txn.mode == WIRE_TXN_STM) {
                *n = tested ? 2 : 1;
                return stm;
        }
        *n = tested ? 3 : 1;
        return tested ? all : one;
}

/* Is one of them a conflict? */
static bool offers_conflict(const uint32_t *code, uint32_t n)
{
        for (uint32_t i = 0; i < n; i++)
                if (code[i] & WIRE_TXN_CONFLICT)
                        return true;
        return false;
}

/* What is known of the transaction that begins at the last transition. */
static const struct wire_txn *known(void)
{
        const struct wire_txns *d = &rt.down->txns;
        uint32_t lo = 0, hi = d->n, at = ex.n_transitions - 1;

        while (lo < hi) {
                uint32_t m = lo + (hi - lo) / 2;
                if (d->at[m].transition < at)
                        lo = m + 1;
                else
                        hi = m;
        }
        return lo < d->n && d->at[lo].transition == at ? &d->at[lo] : NULL;
}

/* The entries of what it read. */
static void log_reads(struct thread *t, const struct wire_txn *x)
{
        uintptr_t site = t->pend.site;

        for (uint32_t i = 0; i < x->count; i++) {
                const struct wire_txn_read *r = &rt.down->txns.reads[x->first + i];
                bool memory = r->op == OP_READ;
                struct wire_event *e;

                if (!shadow_touch(t, r->obj, r->size))
                        continue;
                t->pend.site = r->site;
                if (r->op == OP_TXN_LINE) { /* others see nothing of it */
                        await_accessed(r->obj, r->size);
                        entry_add(t, WIRE_EV_SECTION, r->op, r->obj, r->size, r->mode, r->value);
                        continue;
                }
                e = op_also(t, ARRIVE_INNER, r->op, r->obj, r->size,
                            memory ? mm_read_mode(t, r->obj, r->size) : (uint32_t)WIRE_MODE_READ, r->value);
                e->flags |= WIRE_EV_SECTION;
                if (memory)
                        mm_forward(t, r->obj, r->size);
                spin_read(t, r->obj, r->size);
        }
        t->pend.site = site;
}

/* A block ends here (--preempt sync): what each outcome leads to has a footprint of its own. */
static void end_block(struct thread *t, uintptr_t site)
{
        if (rt.preempt == WIRE_PREEMPT_SYNC)
                op_log(t, op_arrive_counted(t, OP_PREEMPT, 0, 0, NULL, site), WIRE_MODE_NONE, 0);
}

static uint32_t aborted(struct thread *t, struct wire_event *e, uint32_t status, uintptr_t site)
{
        e->value = status;
        t->section.aborts++;
        end_block(t, site);
        return status;
}

/* It runs.  conflict: to abort with this code, if it can be. */
static uint32_t run(struct thread *t, struct wire_event *e, uint32_t conflict, bool must_abort, bool must_commit,
                    uintptr_t site)
{
        const struct wire_txn *x = known();

        if (!x) {
                if (conflict)
                        speculation_conflict(t, conflict);
                else
                        speculation_begin(t, must_abort);
                return WIRE_TXN_STARTED;
        }
        log_reads(t, x);
        if (conflict) /* whether it has a cause depends on the causes of others: refused is ordered with them, granted is not */
                entry_add(t, WIRE_EV_SECTION, OP_TXN_LINE, WIRE_OBJ_TXN, 8,
                          x->status == WIRE_TXN_STARTED ? WIRE_MODE_WRITE : WIRE_MODE_READ, 0);
        if (x->status == WIRE_TXN_STARTED || must_commit) {
                e->value = x->status;
                rt.up->txn.blocked = 1;
                if (x->hopeless)
                        exec_end(WIRE_END_ASSUME);
                sched_leave(t, WIRE_T_ASSUME);
        }
        return aborted(t, e, x->status, site);
}

/* Are aborts from outside left to be explored? */
static bool may_retry(const struct thread *t)
{
        if (!rt.down->txn.retries || t->section.aborts < rt.down->txn.retries)
                return true;
        rt_note_incomplete(REASON_TXN_RETRIES, NULL);
        return false;
}

static uint32_t begin(struct thread *t, bool tested, uintptr_t site)
{
        uint32_t n, c = 0, conflict = 0;
        const uint32_t *code = codes(tested, &n);
        bool undrained = mm_is_weak() && t->weak.undrained;
        struct wire_event *e;
        enum arrival how;

        snapshot_ensure();
        how = op_arrive(t, OP_TXN, 0, tested, NULL, site);
        n = may_retry(t) ? n : 0;
        t->section.offered = offers_conflict(code, n);
        rt.up->txn.offered |= t->section.offered;
        if (n + undrained)
                c = op_choice(1 + n + undrained);
        if (c > n + undrained)
                sched_diverged("thread %u has fewer values to choose from than before", t->id);
        e = op_log(t, how, WIRE_MODE_NONE, WIRE_TXN_STARTED);
        e->choice = c;
        e->next_choice = c < n + undrained ? c + 1 : WIRE_NO_CHOICE;
        if (c && c <= n) {
                spin_read(t, WIRE_OBJ_TXN, 8);
                conflict = code[c - 1] & WIRE_TXN_CONFLICT ? code[c - 1] : 0;
        }
        if (c && c <= n && !conflict) {
                position_step(t, 1); /* as many as if it runs */
                return aborted(t, e, code[c - 1], site);
        }
        e = op_log(t, op_arrive(t, c ? OP_TXN_TRY : OP_TXN_RUN, 0, 0, NULL, site), WIRE_MODE_NONE, WIRE_TXN_STARTED);
        return run(t, e, conflict, c != 0, undrained && !c, site);
}

uint32_t txn_begin(bool tested, uintptr_t site)
{
        struct thread *t = rt_cur;

        if (rt.down->txn.mode == WIRE_TXN_OFF)
                return 0;
        if (!t->section.txn)
                return begin(t, tested, site);
        position_step(t, 1);
        if (++t->section.txn > WIRE_TXN_NESTING)
                rt_fail(WIRE_FAIL_TRANSACTION, site, "more than 7 transactions are nested");
        return WIRE_TXN_STARTED;
}

void txn_end(uintptr_t site)
{
        struct thread *t = rt_cur;

        position_step(t, 1);
        if (!t->section.txn)
                rt_fail(WIRE_FAIL_TRANSACTION, site, "_xend() was called outside of a transaction");
        if (t->section.txn > 1) {
                t->section.txn--;
                return;
        }
        if (t->section.must_abort)
                speculation_stop(t, WIRE_TXN_STARTED);
        speculation_end(t);
        end_block(t, site);
}

void txn_abort(uint32_t code, uintptr_t site)
{
        struct thread *t = rt_cur;

        position_step(t, 1);
        t->pend.site = site;
        if (t->section.txn)
                speculation_stop(t, WIRE_TXN_EXPLICIT | (code & 0xff) << WIRE_TXN_CODE_SHIFT);
}

bool txn_test(void)
{
        return rt_cur->section.txn;
}
