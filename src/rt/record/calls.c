/*
 * Operations on threads and their objects in a recorded program: each is performed by libc, and noted with the time and the core.
 * Locks are many, and cost little: one is noted where the thread had to wait for it, and every SOME-th time otherwise.  It is
 * noted while it is held: so the times of one lock are in the order of its holders.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "rt/record/failure.h"
#include "rt/record/recorder.h"

struct start {
        void *(*function)(void *);
        thrd_start_t of_c11; /* if it is one of these */
        void *arg;
        uint32_t number;
};

static void ended(void *arg)
{
        (void)arg;
        recorder_end();
}

static void *run(void *arg)
{
        struct start s = *(struct start *)arg;
        void *result;

        free(arg);
        recorder_begin(s.number);
        pthread_cleanup_push(ended, NULL);
        result = s.of_c11 ? (void *)(intptr_t)s.of_c11(s.arg) : s.function(s.arg);
        pthread_cleanup_pop(1);
        return result;
}

static int run_c11(void *arg)
{
        return (int)(intptr_t)run(arg);
}

static void *real_pthread_create, *real_pthread_join, *real_pthread_mutex_lock, *real_pthread_mutex_trylock,
        *real_pthread_mutex_unlock, *real_sem_wait, *real_sem_post, *real_pthread_barrier_wait,
        *real_pthread_rwlock_rdlock, *real_pthread_rwlock_wrlock, *real_pthread_rwlock_unlock, *real_pthread_cond_wait,
        *real_pthread_cond_timedwait, *real_pthread_cond_clockwait, *real_thrd_create, *real_thrd_join, *real_mtx_lock,
        *real_mtx_trylock, *real_mtx_unlock, *real_cnd_wait, *real_cnd_timedwait;

/* What a thread starts with; NULL: it is not recorded. */
static struct start *begin(struct start s)
{
        struct start *to = rec ? malloc(sizeof *to) : NULL;

        if (!to)
                return NULL;
        *to = s;
        to->number = recorder_create();
        recorder_note(REC_CREATE, NULL);
        return to;
}

RT_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *), void *arg)
{
        struct start *s = begin((struct start){.function = function, .arg = arg});
        int e = s ? REC_REAL(pthread_create)(thread, attr, run, s)
                  : REC_REAL(pthread_create)(thread, attr, function, arg);

        if (e)
                free(s);
        return e;
}

RT_EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
        struct start *s = begin((struct start){.of_c11 = function, .arg = arg});
        int e = s ? REC_REAL(thrd_create)(thread, run_c11, s) : REC_REAL(thrd_create)(thread, function, arg);

        if (e != thrd_success)
                free(s);
        return e;
}

RT_EXPORT int pthread_join(pthread_t thread, void **result)
{
        int e = REC_REAL(pthread_join)(thread, result);

        recorder_note(REC_JOIN, NULL);
        return e;
}

RT_EXPORT int thrd_join(thrd_t thread, int *result)
{
        int e = REC_REAL(thrd_join)(thread, result);

        recorder_note(REC_JOIN, NULL);
        return e;
}

#define SOME 64u

/* Locks until one is noted. */
static __thread uint32_t left __attribute__((tls_model("initial-exec"))) = 1;

static void note_lock(const void *object)
{
        left = !rec ? UINT32_MAX : rec_delays ? 1 : SOME;
        recorder_note(REC_LOCK, object);
}

static __attribute__((noinline)) int lock_noted(pthread_mutex_t *mutex)
{
        int e = REC_REAL(pthread_mutex_lock)(mutex);

        note_lock(mutex);
        return e;
}

/* Most locks cost two tests more than without the recorder. */
RT_EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex)
{
        void *real = __atomic_load_n(&real_pthread_mutex_lock, __ATOMIC_RELAXED);

        if (__builtin_expect(!real || __atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) || !--left, 0))
                return lock_noted(mutex);
        return ((__typeof__(&pthread_mutex_lock))real)(mutex);
}

/* Noted once it is done. */
#define TAKES(name, type)                       \
        RT_EXPORT int name(type *object)        \
        {                                       \
                int e = REC_REAL(name)(object); \
                                                \
                if (!e && !--left)              \
                        note_lock(object);      \
                return e;                       \
        }

/* Noted before it is done, where there are delays: then it may be one. */
#define GIVES(name, type)                                                     \
        static __attribute__((noinline)) int noted_##name(type *object)       \
        {                                                                     \
                if (rec_delays)                                               \
                        recorder_note(REC_UNLOCK, object);                    \
                return REC_REAL(name)(object);                                \
        }                                                                     \
                                                                              \
        RT_EXPORT int name(type *object)                                      \
        {                                                                     \
                void *real = __atomic_load_n(&real_##name, __ATOMIC_RELAXED); \
                                                                              \
                if (__builtin_expect(!real || rec_delays, 0))                 \
                        return noted_##name(object);                          \
                return ((__typeof__(&name))real)(object);                     \
        }

TAKES(pthread_mutex_trylock, pthread_mutex_t)
GIVES(pthread_mutex_unlock, pthread_mutex_t)
TAKES(sem_wait, sem_t)
GIVES(sem_post, sem_t)
TAKES(pthread_rwlock_rdlock, pthread_rwlock_t)
TAKES(pthread_rwlock_wrlock, pthread_rwlock_t)
GIVES(pthread_rwlock_unlock, pthread_rwlock_t)
TAKES(mtx_lock, mtx_t)
TAKES(mtx_trylock, mtx_t)
GIVES(mtx_unlock, mtx_t)

/* Waits are noted when they are over: which thread was woken, and when, is what their order leaves open. */
#define WAITS(name, parameters, arguments)          \
        RT_EXPORT int name parameters               \
        {                                           \
                int e = REC_REAL(name) arguments;   \
                                                    \
                recorder_note(REC_WAIT, condition); \
                return e;                           \
        }

WAITS(pthread_cond_wait, (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex), (condition, mutex))
WAITS(pthread_cond_timedwait,
      (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until),
      (condition, mutex, until))
WAITS(pthread_cond_clockwait,
      (pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
       const struct timespec *restrict until),
      (condition, mutex, clock, until))
WAITS(cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex))
WAITS(cnd_timedwait, (cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until),
      (condition, mutex, until))

RT_EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
        int e;

        recorder_note(REC_WAIT, barrier);
        e = REC_REAL(pthread_barrier_wait)(barrier);
        recorder_note(REC_WAIT, barrier);
        return e;
}

typedef int start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                       void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

RT_EXPORT start_main __libc_start_main;
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
        failure_watch();
        recorder_begin(recorder_create());
        return ((start_main *)recorder_real("__libc_start_main"))(main, argc, argv, init, fini, rtld_fini, stack_end);
}
