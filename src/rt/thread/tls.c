/*
 * What runs when a thread ends: C++ thread_local destructors and the destructors of keys.
 *
 * Values of keys stay where libc keeps them, in the thread's own memory; only the destructors are known here, because
 * libc would run them at an end that never comes.
 *
 * A key is a state (effect.h) that creating and deleting it change, and that all other calls and the end of a thread
 * with a value in it use.  Which key is created depends on those that were deleted.
 */
#include "rt/thread/tls.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/real.h"
#include "rt/thread/keys.h"
#include "rt/threads.h"

struct dtor {
        void (*run)(void *);
        void *arg;
        struct dtor *next;
};

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
        d->next = t->body.dtors;
        t->body.dtors = d;
        return 0;
}

static void note_key(pthread_key_t k, void (*dtor)(void *))
{
        if (k >= MAX_KEYS)
                return;
        key_dtors[k] = dtor;
        n_keys = k >= n_keys ? k + 1 : n_keys;
}

RT_EXPORT int pthread_key_create(pthread_key_t *key, void (*dtor)(void *))
{
        static __typeof__(pthread_key_create) *real;
        const struct effect e[] = {EFFECT_CHANGE(STATE_KEYS), EFFECT_TAKES(EFFECT_KEY)};
        pthread_key_t k;
        int r;

        if (!real)
                real = rt_real("pthread_key_create");
        if (!rt_cur) { /* before main */
                r = real(key, dtor);
                if (!r)
                        note_key(*key, dtor);
                return r;
        }
        effect_perform(e, 2, RT_SITE());
        r = real(&k, NULL);
        if (r)
                return r;
        note_key(k, dtor);
        call_out(key, &k, sizeof k, RT_SITE());
        return 0;
}

RT_EXPORT int pthread_key_delete(pthread_key_t key)
{
        const struct effect e[] = {EFFECT_CHANGE(key_state(key)), EFFECT_ADD(STATE_KEYS)};
        int r;

        effect_perform(e, 2, RT_SITE());
        r = RT_REAL(pthread_key_delete)(key);
        if (!r && rt_cur && key < MAX_KEYS) {
                key_dtors[key] = NULL;
                keys_deleted = true;
        }
        return r;
}

RT_EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
        effect_one(EFFECT_USE(key_state(key)), RT_SITE());
        return RT_REAL(pthread_setspecific)(key, value);
}

RT_EXPORT void *pthread_getspecific(pthread_key_t key)
{
        effect_one(EFFECT_USE(key_state(key)), RT_SITE());
        return RT_REAL(pthread_getspecific)(key);
}

/* The thread ends with a value in the key: is there still a destructor that wants it? */
static void *last_value(unsigned key, uintptr_t site)
{
        if (!key_dtors[key] || !RT_REAL(pthread_getspecific)(key))
                return NULL;
        effect_one(EFFECT_USE(key_state(key)), site);
        return key_dtors[key] ? RT_REAL(pthread_getspecific)(key) : NULL;
}

void thread_run_dtors(struct thread *t)
{
        while (t->body.dtors) {
                struct dtor *d = t->body.dtors;
                t->body.dtors = d->next;
                d->run(d->arg);
                free(d);
        }
        for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
                bool again = false;
                for (unsigned k = 0; k < n_keys; k++) {
                        void *v = last_value(k, t->pend.site);
                        if (!v)
                                continue;
                        RT_REAL(pthread_setspecific)(k, NULL);
                        key_dtors[k](v);
                        again = true;
                }
                if (!again)
                        break;
        }
}
