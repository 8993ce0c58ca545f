/* Which operations wait for the store buffer: glibc's code for x86-64 decides, operation by operation. */
#include "rt/weak/drain.h"

#include "rt/sync/object.h"
#include "rt/threads.h"

bool drain_fences(uint32_t op)
{
        return op_has(op, OPF_FENCES);
}

/* Is it a recursive or error-checking mutex that the thread holds, and will hold afterwards?  Then only it is concerned. */
static bool stays_held(const struct thread *t, uint32_t op)
{
        const struct object *o = t->pend.object;

        if (op_object(op) != OP_OBJ_MUTEX || OP_MUTEX_OWNER(o->state) != t->id + 1u || rt.down->posix_fences ||
            OP_MUTEX_TYPE(o->state) == OP_MUTEX_NORMAL)
                return false;
        switch (op) {
        case OP_MUTEX_TRYLOCK: return OP_MUTEX_TYPE(o->state) == OP_MUTEX_RECURSIVE;
        case OP_MUTEX_UNLOCK: return OP_MUTEX_DEPTH(o->state) > 0;
        case OP_MUTEX_LOCK:
        case OP_MUTEX_TIMEDLOCK:
        case OP_MUTEX_QUEUE: return true;
        }
        return false;
}

bool drain_waits(const struct thread *t, uint32_t op)
{
        switch (op_drains(op)) {
        case OP_NO_DRAIN: return false;
        case OP_DRAINS_ORDER: return t->weak.order == __ATOMIC_SEQ_CST;
        case OP_DRAINS_POSIX:
                if (!rt.down->posix_fences)
                        return false;
                break;
        case OP_DRAINS: break;
        }
        return !stays_held(t, op);
}
