/* The objects that threads synchronise on, found through the shadow of their address. */
#include <pthread.h>

#include "rt/core.h"

struct object objects[RT_MAX_OBJECTS];

/* What a static initialiser left in the object. */
static uint64_t initial_state(const void *addr, uint32_t kind)
{
        if (kind == OP_OBJ_MUTEX) {
                const pthread_mutex_t *m = addr;
                return (uint64_t)(m->__data.__kind & 3) << 32;
        }
        return 0;
}

struct object *object_get(const void *addr, uint32_t kind)
{
        uint64_t *s = shadow_at((uintptr_t)addr);
        uint64_t i = *s >> RT_MARK_BITS;
        struct object *o;

        if (RT_LIKELY(i && objects[i - 1].kind == kind))
                return &objects[i - 1];
        if (ex.n_objects == RT_MAX_OBJECTS)
                rt_fault("too many locks, condition variables and semaphores (65534) in one execution");
        o = &objects[ex.n_objects++];
        o->addr = (uint64_t)(uintptr_t)addr;
        o->kind = kind;
        o->state = initial_state(addr, kind);
        o->vtime = 0;
        *s = RT_MARK(*s) | (uint64_t)ex.n_objects << RT_MARK_BITS;
        return o;
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
