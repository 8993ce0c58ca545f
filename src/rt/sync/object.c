/* The objects that threads synchronise on, found through the shadow of their address. */
#include "rt/sync/object.h"

#include <pthread.h>

#include "rt/fault.h"
#include "rt/memory/shadow.h"
#include "rt/sync/glibc_kind.h"
#include "rt/util.h"

struct object objects[RT_MAX_OBJECTS];

/* What a static initialiser left in the object. */
static uint64_t initial_state(const void *addr, uint32_t kind, uint32_t policy)
{
        if (kind == OP_OBJ_MUTEX)
                return mutex_state(((const pthread_mutex_t *)addr)->__data.__kind);
        if (kind == OP_OBJ_RWLOCK)
                return rwlock_state((int)((const pthread_rwlock_t *)addr)->__data.__flags, policy);
        return 0;
}

static uint8_t policy_of(uint32_t kind)
{
        static const uint8_t primitive[OP_OBJ_KINDS] = {
                [OP_OBJ_MUTEX] = WIRE_PRIM_MUTEX + 1,   [OP_OBJ_COND] = WIRE_PRIM_COND + 1,
                [OP_OBJ_SEM] = WIRE_PRIM_SEM + 1,       [OP_OBJ_RWLOCK] = WIRE_PRIM_RWLOCK + 1,
                [OP_OBJ_SPINLOCK] = WIRE_PRIM_SPIN + 1, [OP_OBJ_BARRIER] = WIRE_PRIM_BARRIER + 1,
        };

        return kind < OP_OBJ_KINDS && primitive[kind] ? (uint8_t)rt.down->wakeup[primitive[kind] - 1]
                                                      : WIRE_WAKEUP_ARBITRARY;
}

/* A word of the real object that we write once we know it: a static initialiser, or whatever else the memory is used for
 * later, leaves another value there.  None is checked by libc. */
static unsigned *mark_of(const void *addr, uint32_t kind)
{
        switch (kind) {
        case OP_OBJ_MUTEX: return &((pthread_mutex_t *)(uintptr_t)addr)->__data.__nusers;
        case OP_OBJ_COND: return &((pthread_cond_t *)(uintptr_t)addr)->__data.__g_signals[1];
        case OP_OBJ_RWLOCK: return &((pthread_rwlock_t *)(uintptr_t)addr)->__data.__pad3;
        default: return NULL;
        }
}

void object_mark(const struct object *o)
{
        *mark_of((const void *)(uintptr_t)o->addr, o->kind) = RT_OBJECT_MARK;
}

/* It is destroyed: until its memory is initialised or overwritten, every use is a misuse. */
void object_destroy(struct thread *t, struct object *o, uint32_t op)
{
        unsigned *mark = mark_of((const void *)(uintptr_t)o->addr, o->kind);

        o->state = OP_GONE;
        object_note(t, o, op);
        if (mark)
                *mark = RT_OBJECT_GONE;
}

static void begin(struct object *o, const void *addr, uint32_t kind, uint8_t policy)
{
        uint16_t sibling = o->sibling;

        rt_zero(o, sizeof *o);
        o->sibling = sibling;
        o->addr = (uint64_t)(uintptr_t)addr;
        o->kind = (uint16_t)kind;
        o->policy = policy;
        o->state = initial_state(addr, kind, policy);
        if (mark_of(addr, kind))
                object_mark(o);
}

struct object *object_renew(struct object *o)
{
        if (*mark_of((const void *)(uintptr_t)o->addr, o->kind) == RT_OBJECT_GONE && (o->state & OP_GONE))
                return o;
        begin(o, (const void *)(uintptr_t)o->addr, o->kind, o->policy);
        return o;
}

/* The object at this address, or a new one. */
static struct object *object_find(const void *addr, uint32_t kind, uint64_t *s)
{
        uint64_t head = *s >> RT_MARK_BITS;
        struct object *o;

        for (uint64_t i = head; i; i = objects[i - 1].sibling) {
                o = &objects[i - 1];
                if (o->addr != (uint64_t)(uintptr_t)addr)
                        continue;
                if (o->kind != (uint32_t)kind) /* the memory has become something else */
                        begin(o, addr, kind, o->kind == OP_OBJ_NONE ? o->policy : policy_of(kind));
                return o;
        }
        if (ex.n_objects == RT_MAX_OBJECTS)
                rt_fault("too many locks, condition variables and semaphores (65534) in one execution");
        o = &objects[ex.n_objects++];
        o->sibling = (uint16_t)head;
        begin(o, addr, kind, policy_of(kind));
        *s = RT_MARK(*s) | (uint64_t)ex.n_objects << RT_MARK_BITS;
        return o;
}

struct object *object_get(const void *addr, uint32_t kind)
{
        uint64_t *s = shadow_at((uintptr_t)addr);
        uint64_t i = *s >> RT_MARK_BITS;

        if (RT_LIKELY(i && objects[i - 1].kind == (uint32_t)kind && objects[i - 1].addr == (uint64_t)(uintptr_t)addr))
                return &objects[i - 1];
        return object_find(addr, kind, s);
}

void object_set_policy(const void *addr, uint32_t policy)
{
        uint64_t i = *shadow_at((uintptr_t)addr) >> RT_MARK_BITS;
        struct object *o;

        while (i && objects[i - 1].addr != (uint64_t)(uintptr_t)addr)
                i = objects[i - 1].sibling;
        o = i ? &objects[i - 1] : object_get(addr, OP_OBJ_NONE);
        o->policy = (uint8_t)policy;
        if (o->kind == OP_OBJ_RWLOCK)
                o->state = rwlock_preferring(o->state, policy);
}

void object_forget(uintptr_t addr, size_t size)
{
        uintptr_t g = addr & ~(uintptr_t)7;

        for (; g < addr + size; g += 8) {
                uint64_t *s = shadow_peek(g);
                if (s)
                        *s = RT_MARK(*s);
        }
}
