/*
 * C11 threads: every call is its pthread counterpart with other names for the answers.
 *
 * glibc has implementations of its own that do not pass through the pthread functions we wrap.  The objects have the
 * same layout.  `via` makes the entries show the program's call, not ours.
 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/calls/calls.h"
#include "rt/real.h"
#include "rt/sched/section.h"
#include "rt/thread/join.h"
#include "rt/sync/mutex.h"
#include "rt/sync/once.h"
#include "rt/thread/thread.h"
#include "rt/threads.h"

static int answer(int error)
{
        switch (error) {
        case 0: return thrd_success;
        case EBUSY: return thrd_busy;
        case ETIMEDOUT: return thrd_timedout;
        case ENOMEM: return thrd_nomem;
        default: return thrd_error;
        }
}

/* The call, recorded as made from here; outside `check` the real function. */
#define MAPPED_AT(name, args, call, site)          \
        do {                                       \
                struct thread *t_ = rt_cur;        \
                int r_;                            \
                if (!t_)                           \
                        return RT_REAL(name) args; \
                t_->stack.via = (site);            \
                r_ = call;                         \
                t_->stack.via = 0;                 \
                return answer(r_);                 \
        } while (0)
#define MAPPED(name, args, call) MAPPED_AT(name, args, call, RT_SITE())

RT_EXPORT int thrd_create(thrd_t *handle, thrd_start_t start, void *arg)
{
        if (!rt_cur)
                return RT_REAL(thrd_create)(handle, start, arg);
        return answer(thread_create(rt_cur, handle, NULL, (void *(*)(void *))(uintptr_t)start, arg, true, RT_SITE()));
}

RT_EXPORT int thrd_join(thrd_t handle, int *result)
{
        void *value = NULL;
        int error, code;

        if (!rt_cur)
                return RT_REAL(thrd_join)(handle, result);
        error = thread_join(rt_cur, handle, &value, RT_SITE());
        code = (int)(intptr_t)value;
        if (!error)
                call_out(result, &code, sizeof code, RT_SITE());
        return answer(error);
}

RT_EXPORT int thrd_detach(thrd_t handle)
{
        return rt_cur ? answer(thread_detach(rt_cur, handle, RT_SITE())) : RT_REAL(thrd_detach)(handle);
}

RT_EXPORT void thrd_exit(int result)
{
        static void (*real)(int);

        if (rt_cur)
                thread_exit(rt_cur, (void *)(intptr_t)result);
        if (!real)
                real = (void (*)(int))rt_real("thrd_exit");
        real(result);
        __builtin_unreachable();
}

RT_STUB_VOID(thrd_yield, entry_thrd_yield, "default")
void entry_thrd_yield(void) __attribute__((used, visibility("hidden")));
void entry_thrd_yield(void)
{
        if (rt_cur)
                rt_yield_kernel(RT_STUB_SITE());
        else
                RT_REAL(thrd_yield)();
}

static int init_mutex(mtx_t *m, int type)
{
        pthread_mutexattr_t attr;
        int error;

        if (type & ~(mtx_recursive | mtx_timed))
                return EINVAL;
        pthread_mutexattr_init(&attr);
        pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
        error = pthread_mutex_init((pthread_mutex_t *)m, &attr);
        pthread_mutexattr_destroy(&attr);
        return error;
}

RT_EXPORT int mtx_init(mtx_t *m, int type)
{
        MAPPED(mtx_init, (m, type), init_mutex(m, type));
}

RT_EXPORT void mtx_destroy(mtx_t *m)
{
        struct thread *t = rt_cur;

        if (!t) {
                RT_REAL(mtx_destroy)(m);
                return;
        }
        t->stack.via = RT_SITE();
        pthread_mutex_destroy((pthread_mutex_t *)m);
        t->stack.via = 0;
}

RT_EXPORT int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
        MAPPED(mtx_timedlock, (m, until), pthread_mutex_timedlock((pthread_mutex_t *)m, until));
}

RT_EXPORT int mtx_unlock(mtx_t *m)
{
        MAPPED(mtx_unlock, (m), pthread_mutex_unlock((pthread_mutex_t *)m));
}

/* Loops may spin on these two. */
RT_STUB(mtx_lock, c11_lock, "default")
int c11_lock(mtx_t *m) __attribute__((used, visibility("hidden")));
int c11_lock(mtx_t *m)
{
        MAPPED_AT(mtx_lock, (m), mutex_lock((pthread_mutex_t *)m), RT_STUB_SITE());
}

RT_STUB(mtx_trylock, c11_trylock, "default")
int c11_trylock(mtx_t *m) __attribute__((used, visibility("hidden")));
int c11_trylock(mtx_t *m)
{
        MAPPED_AT(mtx_trylock, (m), mutex_trylock((pthread_mutex_t *)m), RT_STUB_SITE());
}

RT_EXPORT int cnd_init(cnd_t *c)
{
        MAPPED(cnd_init, (c), pthread_cond_init((pthread_cond_t *)c, NULL));
}

RT_EXPORT void cnd_destroy(cnd_t *c)
{
        struct thread *t = rt_cur;

        if (!t) {
                RT_REAL(cnd_destroy)(c);
                return;
        }
        t->stack.via = RT_SITE();
        pthread_cond_destroy((pthread_cond_t *)c);
        t->stack.via = 0;
}

RT_EXPORT int cnd_wait(cnd_t *c, mtx_t *m)
{
        MAPPED(cnd_wait, (c, m), pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m));
}

RT_EXPORT int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until)
{
        MAPPED(cnd_timedwait, (c, m, until), pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, until));
}

RT_EXPORT int cnd_signal(cnd_t *c)
{
        MAPPED(cnd_signal, (c), pthread_cond_signal((pthread_cond_t *)c));
}

RT_EXPORT int cnd_broadcast(cnd_t *c)
{
        MAPPED(cnd_broadcast, (c), pthread_cond_broadcast((pthread_cond_t *)c));
}

RT_EXPORT int tss_create(tss_t *key, tss_dtor_t dtor)
{
        MAPPED(tss_create, (key, dtor), pthread_key_create(key, dtor));
}

RT_EXPORT void tss_delete(tss_t key)
{
        pthread_key_delete(key);
}

RT_EXPORT int tss_set(tss_t key, void *value)
{
        return answer(pthread_setspecific(key, value));
}

RT_EXPORT void *tss_get(tss_t key)
{
        return pthread_getspecific(key);
}

RT_EXPORT void call_once(once_flag *flag, void (*f)(void))
{
        struct thread *t = rt_cur;

        if (!t) {
                RT_REAL(call_once)(flag, f);
                return;
        }
        once_run((pthread_once_t *)(void *)flag, f, RT_SITE());
}
