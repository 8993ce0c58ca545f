/*
 * One-time initialisation: pthread_once and the guards of C++ static locals.
 *
 * The first to come runs the initialiser; others wait until it is done.
 */
#include "rt/sync/once.h"

#include <pthread.h>

#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"
#include "rt/world/modules.h"

#define ONCE_SIZE sizeof(pthread_once_t) /* a guard is larger, but only its first byte is checked */

/* Waits while another thread runs it; true: it is ours to run. */
static bool once_begin(struct thread *t, struct object *o, uintptr_t site)
{
        enum arrival how;
        bool ours;

        if (mm_looks_first(t)) { /* once it is done, that is all there is */
                op_log(t, op_arrive(t, OP_ONCE_LOOK, o->addr, ONCE_SIZE, o, site), WIRE_MODE_READ, o->state);
                if (o->state == OP_ONCE_DONE) {
                        t->clock.vtime = o->vtime > t->clock.vtime ? o->vtime : t->clock.vtime;
                        return false;
                }
        }
        how = op_arrive(t, OP_ONCE_BEGIN, o->addr, ONCE_SIZE, o, site);
        ours = o->state == OP_ONCE_NEW;
        op_log(t, how, ours ? WIRE_MODE_WRITE : WIRE_MODE_READ, o->state);
        if (ours)
                o->state = OP_ONCE_RUNNING;
        else if (o->vtime > t->clock.vtime)
                t->clock.vtime = o->vtime;
        return ours;
}

static void once_end(struct thread *t, struct object *o, uint64_t state, uintptr_t site)
{
        enum arrival how = op_arrive(t, OP_ONCE_END, o->addr, ONCE_SIZE, o, site);

        op_log(t, how, WIRE_MODE_WRITE, o->state);
        o->state = state;
        o->vtime = t->clock.vtime;
}

struct running {
        struct object *o; /* NULL: done */
        uintptr_t site;
};

/* The initialiser was left by an exception, by cancellation or by pthread_exit: as if it had never begun. */
static void once_left(struct running *r)
{
        if (r->o)
                once_end(rt_cur, r->o, OP_ONCE_NEW, r->site);
}

void once_run(pthread_once_t *once, void (*init)(void), uintptr_t site)
{
        struct object *o;

        if (*once == 2) /* done before the runtime looked, by libc's own word */
                return;
        o = object_get(once, OP_OBJ_ONCE);
        if (once_begin(rt_cur, o, site)) {
                struct running r __attribute__((cleanup(once_left))) = {.o = o, .site = site};
                init();
                once_end(rt_cur, o, OP_ONCE_DONE, site);
                r.o = NULL;
        }
}

RT_EXPORT int pthread_once(pthread_once_t *once, void (*init)(void))
{
        if (!rt_cur || rt_site_in_unwinder(RT_SITE())) /* whose tables are the same whichever thread makes them */
                return RT_REAL(pthread_once)(once, init);
        once_run(once, init, RT_SITE());
        return 0;
}

/* The Itanium C++ ABI: the first byte of a guard is set once the object is there; compilers test it inline. */

RT_EXPORT int __cxa_guard_acquire(uint8_t *guard);
int __cxa_guard_acquire(uint8_t *guard)
{
        struct thread *t = rt_cur;

        if (!t) {
                static int (*real)(uint8_t *);
                if (!real)
                        real = rt_real("__cxa_guard_acquire");
                return real(guard);
        }
        if (*guard)
                return 0;
        return once_begin(t, object_get(guard, OP_OBJ_ONCE), RT_SITE());
}

static void guard_end(uint8_t *guard, uint64_t state, uintptr_t site)
{
        struct thread *t = rt_cur;

        once_end(t, object_get(guard, OP_OBJ_ONCE), state, site);
        *guard = state == OP_ONCE_DONE;
}

RT_EXPORT void __cxa_guard_release(uint8_t *guard);
void __cxa_guard_release(uint8_t *guard)
{
        if (!rt_cur) {
                static void (*real)(uint8_t *);
                if (!real)
                        real = rt_real("__cxa_guard_release");
                real(guard);
                return;
        }
        guard_end(guard, OP_ONCE_DONE, RT_SITE());
}

RT_EXPORT void __cxa_guard_abort(uint8_t *guard);
void __cxa_guard_abort(uint8_t *guard)
{
        if (!rt_cur) {
                static void (*real)(uint8_t *);
                if (!real)
                        real = rt_real("__cxa_guard_abort");
                real(guard);
                return;
        }
        guard_end(guard, OP_ONCE_NEW, RT_SITE());
}
