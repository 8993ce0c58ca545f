/* See delivery_look.h. */
#include "rt/signal/delivery_look.h"

#include "rt/io/signal_object.h"
#include "rt/loops/spin.h"
#include "rt/memory/shadow.h"
#include "rt/threads.h"
#include "rt/trace/entry.h"

/* No handler runs there, but where the block ends depends on what was sent. */
static bool begins_block(uint32_t op)
{
        return rt.preempt == WIRE_PREEMPT_SYNC && (op == OP_START || op == OP_CANCEL_POINT);
}

void delivery_looked(struct thread *t)
{
        uint64_t cell = SIGNAL_CELL(t->id);

        if (!delivery_at(t->pend.op) && !begins_block(t->pend.op))
                return;
        if (t->signals.ready && op_has(t->pend.op, OPF_KERNEL))
                t->signals.due = t->signals.fresh = true;
        if (!shadow_touch(t, cell, 8))
                return;
        entry_add(t, 0, OP_SIGNAL_POINT, cell, 8, WIRE_MODE_READ, t->signals.ready);
        spin_read(t, cell, 8);
        /* What it has let go on may send one, before the accesses that follow in its block. */
        if (rt.preempt == WIRE_PREEMPT_SYNC && !op_has(t->pend.op, OPF_PLAIN) && !t->marks.sealed)
                t->turn.point_due = true;
}
