/* See handle.h. */
#include "rt/thread/handle.h"

#include "rt/sched/pool.h"
#include "rt/threads.h"

struct thread *thread_by_handle(pthread_t handle)
{
        const void *fs = (const void *)handle;
        uint32_t i = fs == threads[0].fiber.fs ? 0 : pool_slot(fs);

        return i < ex.n_threads && threads[i].state != WIRE_T_UNUSED && threads[i].fiber.fs == fs ? &threads[i] : NULL;
}

void thread_handle_used(struct thread *t, struct thread *n, uint32_t op, uintptr_t site)
{
        n->handle.by = t->id;
        n->handle.did = (uint8_t)op;
        n->handle.site = t->stack.via ? t->stack.via : site;
}
