/* Which operations wait for the store buffer: glibc's code for x86-64 decides, operation by operation. */
#include "rt/weak/drain.h"

#include "rt/sync/object.h"
#include "rt/threads.h"

/* Operations that need not wait for the buffer.  Those of the second half do with --posix-fences. */
static bool only_looks(uint32_t op)
{
        switch (op) {
        case OP_READ:
        case OP_WRITE:
        case OP_LOAD:
        case OP_START:
        case OP_CHOOSE:
        case OP_PREEMPT:
        case OP_STATE_USE:
        case OP_CANCEL_POINT: return true;
        case OP_CLAIM:
        case OP_JOIN:
        case OP_TRYJOIN:
        case OP_COND_LOOK:
        case OP_ONCE_LOOK:
        case OP_SPIN_UNLOCK:
        case OP_SEM_LOOK:
        case OP_RWLOCK_LOOK:
        case OP_SEM_GETVALUE: return !rt.down->posix_fences;
        }
        return false;
}

bool drain_fences(uint32_t op)
{
        switch (op) {
        case OP_RMW:
        case OP_CAS:
        case OP_STORE:
        case OP_FENCE:
        case OP_CREATE: return true;
        case OP_JOIN: return rt.down->posix_fences;
        }
        switch (op_object(op)) {
        case OP_OBJ_MUTEX:
        case OP_OBJ_COND:
        case OP_OBJ_SEM:
        case OP_OBJ_ONCE:
        case OP_OBJ_SPINLOCK:
        case OP_OBJ_RWLOCK:
        case OP_OBJ_BARRIER: return true;
        }
        return op >= OP_USER;
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
        if (op == OP_STORE || op == OP_FENCE)
                return t->weak.order == __ATOMIC_SEQ_CST;
        return !only_looks(op) && !stays_held(t, op);
}
