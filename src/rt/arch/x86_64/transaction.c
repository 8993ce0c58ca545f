/*
 * See transaction.h.  Where it is not known what the program does with a status, all codes are explored.  Outside a turn, and in a child of
 * the program, transactions abort, as on a machine without them.
 */
#include "rt/arch/x86_64/transaction.h"

#include "rt/arch/x86_64/flags.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/txn/txn.h"
#include "wire/locked.h"

static void begin(const struct wire_locked *l, const struct thread *t, uint64_t *rax, uint64_t *next)
{
        uint32_t status = t ? txn_begin(!l->compared, *next) : 0;

        if (status == WIRE_TXN_STARTED)
                return;
        *rax = status;
        *next = (uint64_t)l->immediate;
}

static void perform(const struct wire_locked *l, const struct thread *t, uint64_t *rax, uint64_t *flags, uint64_t *next)
{
        switch (l->kind) {
        case WIRE_LOCKED_XBEGIN: begin(l, t, rax, next); return;
        case WIRE_LOCKED_XTEST: *flags = (*flags & ~FLAG_ALL) | (t && txn_test() ? 0 : FLAG_ZF); return;
        case WIRE_LOCKED_XEND:
                if (t)
                        txn_end(*next);
                return;
        case WIRE_LOCKED_XABORT:
                if (t)
                        txn_abort((uint32_t)l->immediate, *next);
                return;
        }
}

void transaction_perform(const struct wire_locked *l, uint64_t *rax, uint64_t *flags, uint64_t *next)
{
        struct thread *t = rt_cur;
        uint32_t hooks = t ? position_of(t) : 0;

        perform(l, t, rax, flags, next);
        if (t)
                t->locked.n += position_of(t) - hooks - 1; /* one is counted already */
}
