/* See objects.h. */
#include "strategy/mcr/objects.h"

#include "op/op.h"

bool object_known(uint32_t op)
{
        switch (op) {
        case OP_MUTEX_INIT:
        case OP_MUTEX_DESTROY:
        case OP_MUTEX_LOCK:
        case OP_MUTEX_TRYLOCK:
        case OP_MUTEX_TIMEDLOCK:
        case OP_MUTEX_UNLOCK:
        case OP_MUTEX_RELOCK:
        case OP_MUTEX_CONSISTENT:
        case OP_MUTEX_ABANDON:
        case OP_COND_INIT:
        case OP_COND_LOOK:
        case OP_COND_DESTROY:
        case OP_BARRIER_INIT:
        case OP_BARRIER_DESTROY:
        case OP_SPIN_INIT:
        case OP_SPIN_DESTROY:
        case OP_SPIN_LOCK:
        case OP_SPIN_TRYLOCK:
        case OP_SPIN_UNLOCK:
        case OP_RWLOCK_INIT:
        case OP_RWLOCK_DESTROY:
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_WRLOCK:
        case OP_RWLOCK_TRYRDLOCK:
        case OP_RWLOCK_TRYWRLOCK:
        case OP_RWLOCK_TIMEDRDLOCK:
        case OP_RWLOCK_TIMEDWRLOCK:
        case OP_RWLOCK_UNLOCK:
        case OP_RWLOCK_LOOK:
        case OP_SEM_INIT:
        case OP_SEM_DESTROY:
        case OP_SEM_WAIT:
        case OP_SEM_TRYWAIT:
        case OP_SEM_TIMEDWAIT:
        case OP_SEM_POST:
        case OP_SEM_GETVALUE:
        case OP_SEM_LOOK:
        case OP_SEM_TRYTURN:
        case OP_SEM_HAND:
        case OP_STREAM_LOCK:
        case OP_STREAM_TRYLOCK:
        case OP_STREAM_UNLOCK:
        case OP_STREAM_USE:
        case OP_ONCE_LOOK:
        case OP_ONCE_BEGIN:
        case OP_ONCE_END: return true;
        default: return false;
        }
}

bool object_sets(uint32_t op)
{
        return op == OP_COND_INIT || op == OP_BARRIER_INIT || op == OP_MUTEX_INIT || op == OP_RWLOCK_INIT ||
               op == OP_SEM_INIT || op == OP_ONCE_END;
}

static struct object_effect effect(uint64_t after, uint64_t result)
{
        return (struct object_effect){result, after};
}

static struct object_effect mutex_take(uint32_t op, uint64_t state, uint32_t actor)
{
        bool own = OP_MUTEX_OWNER(state) == actor + 1;
        bool again = own && OP_MUTEX_TYPE(state) == OP_MUTEX_RECURSIVE;

        if (op == OP_MUTEX_TIMEDLOCK && !op_mutex_free(state, actor))
                return effect(state, OBJECT_LATE);
        if (op == OP_MUTEX_TRYLOCK && !(state & OP_MUTEX_LOST) && !again && (OP_MUTEX_OWNER(state) || OP_NEXT(state)))
                return effect(state, OBJECT_REFUSED);
        if (own && (OP_MUTEX_TYPE(state) == OP_MUTEX_ERRORCHECK || OP_MUTEX_DEPTH(state) == 0xffff))
                return effect(state, OBJECT_REFUSED);
        if (own)
                return effect(state + OP_MUTEX_DEPTH_ONE, OBJECT_DONE);
        if (state & OP_MUTEX_LOST)
                return effect(state, OBJECT_LOST);
        return effect((state & ~OP_MUTEX_HELD_BITS) | (actor + 1u), state & OP_MUTEX_DIED ? OBJECT_DIED : OBJECT_DONE);
}

static struct object_effect mutex_give(uint64_t state)
{
        if (OP_MUTEX_DEPTH(state))
                return effect(state - OP_MUTEX_DEPTH_ONE, OBJECT_DONE);
        return effect((state & ~OP_MUTEX_HELD_BITS) | (state & OP_MUTEX_DIED ? OP_MUTEX_LOST : 0), OBJECT_DONE);
}

static struct object_effect mutex_do(uint32_t op, uint64_t state, uint32_t actor, uint64_t sets)
{
        uint32_t owner = OP_MUTEX_OWNER(state);

        switch (op) {
        case OP_MUTEX_INIT: return owner ? effect(state, OBJECT_REFUSED) : effect(sets, OBJECT_DONE);
        case OP_MUTEX_DESTROY: return owner ? effect(state, OBJECT_REFUSED) : effect(OP_GONE, OBJECT_DONE);
        case OP_MUTEX_UNLOCK: return owner != actor + 1 ? effect(state, OBJECT_REFUSED) : mutex_give(state);
        case OP_MUTEX_ABANDON: return effect((state | OP_MUTEX_DIED) & ~OP_MUTEX_HELD_BITS, OBJECT_DONE);
        case OP_MUTEX_CONSISTENT:
                return !(state & OP_MUTEX_DIED) || owner != actor + 1 ? effect(state, OBJECT_REFUSED)
                                                                      : effect(state & ~OP_MUTEX_DIED, OBJECT_DONE);
        default: return mutex_take(op, state, actor);
        }
}

static struct object_effect spin_do(uint32_t op, uint64_t state, uint32_t actor)
{
        uint32_t owner = OP_OWNER(state);

        switch (op) {
        case OP_SPIN_INIT: return owner ? effect(state, OBJECT_REFUSED) : effect(0, OBJECT_DONE);
        case OP_SPIN_DESTROY: return owner ? effect(state, OBJECT_REFUSED) : effect(OP_GONE, OBJECT_DONE);
        case OP_SPIN_UNLOCK: return owner != actor + 1 ? effect(state, OBJECT_REFUSED) : effect(0, OBJECT_DONE);
        default: return owner ? effect(state, OBJECT_REFUSED) : effect(actor + 1u, OBJECT_DONE);
        }
}

/* A stream has a lock that its owner can take again. */
static struct object_effect stream_do(uint32_t op, uint64_t state, uint32_t actor)
{
        bool own = OP_OWNER(state) == actor + 1;

        if (op == OP_STREAM_USE)
                return effect(state, OBJECT_DONE);
        if (op == OP_STREAM_UNLOCK)
                return !own                    ? effect(state, OBJECT_REFUSED)
                       : OP_MUTEX_DEPTH(state) ? effect(state - OP_MUTEX_DEPTH_ONE, OBJECT_DONE)
                                               : effect(0, OBJECT_DONE);
        if (own)
                return effect(state + OP_MUTEX_DEPTH_ONE, OBJECT_DONE);
        return OP_OWNER(state) ? effect(state, OBJECT_REFUSED) : effect(actor + 1u, OBJECT_DONE);
}

static struct object_effect rwlock_do(uint32_t op, uint64_t state, uint32_t actor, uint64_t sets)
{
        bool held = OP_OWNER(state) || OP_RWLOCK_READERS(state);
        /* its owner can never have it; others are late */
        uint64_t refused = OP_OWNER(state) != actor + 1 && op_has(op, OPF_TIMED) ? OBJECT_LATE : OBJECT_REFUSED;

        if ((op == OP_RWLOCK_TRYRDLOCK || op == OP_RWLOCK_TRYWRLOCK) && OP_NEXT(state))
                return effect(state, OBJECT_REFUSED);
        switch (op) {
        case OP_RWLOCK_LOOK:
                return effect(state, (OP_NEXT(state) ? 4u : 0) + (op_rwlock_may_read(state) ? 2u : 0) +
                                             (op_rwlock_may_write(state) ? 1u : 0));
        case OP_RWLOCK_INIT: return held ? effect(state, OBJECT_REFUSED) : effect(sets, OBJECT_DONE);
        case OP_RWLOCK_DESTROY: return held ? effect(state, OBJECT_REFUSED) : effect(OP_GONE, OBJECT_DONE);
        case OP_RWLOCK_RDLOCK:
        case OP_RWLOCK_TIMEDRDLOCK:
        case OP_RWLOCK_TRYRDLOCK:
                return op_rwlock_may_read(state) ? effect(state + OP_RWLOCK_READER, OBJECT_DONE)
                                                 : effect(state, refused);
        case OP_RWLOCK_UNLOCK:
                if (OP_OWNER(state))
                        return OP_OWNER(state) == actor + 1 ? effect(state & ~UINT64_C(0xffff), OBJECT_DONE)
                                                            : effect(state, OBJECT_REFUSED);
                return held ? effect(state - OP_RWLOCK_READER, OBJECT_DONE) : effect(state, OBJECT_REFUSED);
        default: return op_rwlock_may_write(state) ? effect(state + actor + 1u, OBJECT_DONE) : effect(state, refused);
        }
}

static struct object_effect sem_do(uint32_t op, uint64_t state, uint64_t sets)
{
        bool waits = !OP_SEM_VALUE(state) || ((op == OP_SEM_TRYWAIT || op == OP_SEM_TRYTURN) && OP_NEXT(state));

        switch (op) {
        case OP_SEM_LOOK: return effect(state, !OP_SEM_VALUE(state) || OP_NEXT(state) ? OBJECT_REFUSED : OBJECT_DONE);
        case OP_SEM_INIT: return effect(sets, OBJECT_DONE);
        case OP_SEM_DESTROY: return effect(OP_GONE, OBJECT_DONE);
        case OP_SEM_GETVALUE: return effect(state, OP_SEM_VALUE(state));
        case OP_SEM_POST:
        case OP_SEM_HAND:
                return OP_SEM_VALUE(state) >= OP_SEM_MAX ? effect(state, OBJECT_REFUSED)
                                                         : effect(state + 1, OBJECT_DONE);
        default: return waits ? effect(state, OBJECT_REFUSED) : effect(state - 1, OBJECT_DONE);
        }
}

/* Condition variables and barriers are made and destroyed while no thread waits. */
static struct object_effect wait_do(uint32_t op, uint64_t state, uint64_t sets)
{
        if (op == OP_COND_LOOK)
                return effect(state, OP_COND_WAITERS(state) ? OBJECT_DONE : OBJECT_REFUSED);
        if (state & 0xffff) /* waiters, or those that have arrived */
                return effect(state, OBJECT_REFUSED);
        return effect(op == OP_COND_INIT || op == OP_BARRIER_INIT ? sets : OP_GONE, OBJECT_DONE);
}

struct object_effect object_do(uint32_t op, uint64_t state, uint32_t actor, uint64_t sets)
{
        bool ever = op == OP_COND_INIT || op == OP_BARRIER_INIT || op == OP_MUTEX_INIT || op == OP_SPIN_INIT ||
                    op == OP_RWLOCK_INIT || op == OP_SEM_INIT || op == OP_COND_LOOK || op == OP_RWLOCK_LOOK;

        if ((state & OP_GONE) && !ever)
                return effect(state, OBJECT_GONE);
        switch (op_object(op)) {
        case OP_OBJ_MUTEX: return mutex_do(op, state, actor, sets);
        case OP_OBJ_SPINLOCK: return spin_do(op, state, actor);
        case OP_OBJ_STREAM: return stream_do(op, state, actor);
        case OP_OBJ_RWLOCK: return rwlock_do(op, state, actor, sets);
        case OP_OBJ_SEM: return sem_do(op, state, sets);
        case OP_OBJ_COND:
        case OP_OBJ_BARRIER: return wait_do(op, state, sets);
        default: break;
        }
        if (op == OP_ONCE_END)
                return effect(sets, OBJECT_DONE);
        if (op == OP_ONCE_LOOK)
                return effect(state, state == OP_ONCE_DONE ? OBJECT_DONE : OBJECT_REFUSED);
        return effect(state == OP_ONCE_NEW ? (uint64_t)OP_ONCE_RUNNING : state,
                      state == OP_ONCE_NEW ? OBJECT_DONE : OBJECT_REFUSED);
}
