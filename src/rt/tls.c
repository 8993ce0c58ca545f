/*
 * What runs when a thread ends: C++ thread_local destructors and the destructors of keys.
 *
 * Values of keys stay where libc keeps them, in the thread's own memory; only the destructors are known here, because
 * libc would run them at an end that never comes.
 */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "rt/calls.h"
#include "rt/core.h"

struct dtor {
        void (*run)(void *);
        void *arg;
        struct dtor *next;
};

typedef void (*key_dtor)(void *);

/* Inside the snapshot: allocated from the program's heap would be visible to it, so a table of its own. */
static key_dtor key_dtors[RT_MAX_KEYS];
static unsigned n_keys; /* the highest key with a destructor, in any execution, + 1 */

RT_EXPORT int __cxa_thread_atexit_impl(void (*run)(void *), void *arg, void *dso);
int __cxa_thread_atexit_impl(void (*run)(void *), void *arg, void *dso)
{
        struct thread *t = rt_cur;
        struct dtor *d;

        if (!t || t->id == 0) { /* the main thread's run in exit() */
                static int (*real)(void (*)(void *), void *, void *);
                if (!real)
                        real = rt_real("__cxa_thread_atexit_impl");
                if (t)
                        ex.n_atexit++;
                return real(run, arg, dso);
        }
        d = malloc(sizeof *d);
        if (!d)
                return -1;
        d->run = run;
        d->arg = arg;
        d->next = t->dtors;
        t->dtors = d;
        return 0;
}

RT_EXPORT int pthread_key_create(pthread_key_t *key, void (*dtor)(void *))
{
        static __typeof__(pthread_key_create) *real;
        pthread_key_t k;
        int r;

        if (!real)
                real = rt_real("pthread_key_create");
        if (!rt_cur)
                return real(key, dtor);
        r = real(&k, NULL);
        if (r)
                return r;
        if (k < RT_MAX_KEYS) {
                key_dtors[k] = dtor;
                n_keys = k >= n_keys ? k + 1 : n_keys;
        }
        call_out(key, &k, sizeof k, RT_SITE());
        return 0;
}

void thread_run_dtors(struct thread *t)
{
        while (t->dtors) {
                struct dtor *d = t->dtors;
                t->dtors = d->next;
                d->run(d->arg);
                free(d);
        }
        for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
                bool again = false;
                for (unsigned k = 0; k < n_keys; k++) {
                        void *v = key_dtors[k] ? pthread_getspecific(k) : NULL;
                        if (!v)
                                continue;
                        pthread_setspecific(k, NULL);
                        key_dtors[k](v);
                        again = true;
                }
                if (!again)
                        break;
        }
}
