/* See awaited.h. */
#include "rt/thread/awaited.h"

#include "rt/io/polled.h"
#include "rt/memory/shadow.h"
#include "rt/sched/enabled.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/trace/log.h"

void awaited_read(struct thread *t, enum arrival how, const struct thread *of, const struct pending *p)
{
        if (p->op == OP_CHANNEL_POLL && of->poll.waiting)
                poll_read_awaited(t, how, of);
        else if (p->op == OP_JOIN && shadow_touch(t, p->obj, 8))
                op_also(t, how, OP_TRYJOIN, p->obj, 8, WIRE_MODE_READ, thread_has_ended(&threads[p->peer]))->flags |=
                        WIRE_EV_FAILED;
        else if (op_has(p->op, OPF_RELOCKS)) {
                op_also(t, how, OP_COND_SIGNAL, of->wait.cond->addr, 8, WIRE_MODE_READ, of->wait.cond->state);
                op_also(t, how, OP_MUTEX_TRYLOCK, p->obj, 8, WIRE_MODE_READ, p->object->state);
        } else if (p->op != OP_JOIN && p->object)
                op_also(t, how, p->op, p->obj, 8, WIRE_MODE_READ, p->object->state)->flags |= WIRE_EV_FAILED;
}
