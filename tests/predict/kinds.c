/* One program for each kind of prediction: the first execution does not fail, and a reordering of it does. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

#ifdef RACE /* the sections keep the writes apart only by chance */
static int x, y;
static void *one(void *arg)
{
        x = 1;
        pthread_mutex_lock(&m);
        y++;
        pthread_mutex_unlock(&m);
        return arg;
}
static void *two(void *arg)
{
        pthread_mutex_lock(&l);
        pthread_mutex_unlock(&l);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        x = 2;
        return arg;
}
static void end(void)
{
}
#endif

#ifdef FLIPPED /* the sections have to come in the other order, and the value read is one from inside the first */
static int x;
static _Atomic int y;
static void *one(void *arg)
{
        pthread_mutex_lock(&m);
        y = 1;
        x = 1;
        pthread_mutex_unlock(&m);
        return arg;
}
static void *two(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        if (y)
                x = 2;
        return arg;
}
static void end(void)
{
}
#endif

#ifdef DEADLOCK /* beyond a guard that only one of the two sections has */
static int n;
static void both(pthread_mutex_t *a, pthread_mutex_t *b)
{
        pthread_mutex_lock(a);
        pthread_mutex_lock(b);
        n++;
        pthread_mutex_unlock(b);
        pthread_mutex_unlock(a);
}
static void *one(void *arg)
{
        both(&m, &l);
        return arg;
}
static void *two(void *arg)
{
        both(&l, &m);
        return arg;
}
static void end(void)
{
        assert(n == 2);
}
#endif

#ifdef WAKEUP /* the condition is not changed under the mutex */
static _Atomic int ready;
static void *one(void *arg)
{
        pthread_mutex_lock(&m);
        while (!ready)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}
static void *two(void *arg)
{
        pthread_mutex_lock(&l);
        pthread_mutex_unlock(&l);
        ready = 1;
        pthread_cond_signal(&c);
        return arg;
}
static void end(void)
{
}
#endif

#ifdef FREED /* all under the mutex, but nothing says that the use comes first */
static int *p;
static void *one(void *arg)
{
        pthread_mutex_lock(&m);
        *p = 1;
        pthread_mutex_unlock(&m);
        return arg;
}
static void *two(void *arg)
{
        pthread_mutex_lock(&m);
        free(p);
        pthread_mutex_unlock(&m);
        return arg;
}
#define BEGIN p = malloc(sizeof *p);
static void end(void)
{
}
#endif

#ifdef UNSET
static int value = 7, *_Atomic p;
static void *one(void *arg)
{
        p = &value;
        return arg;
}
static void *two(void *arg)
{
        assert(*p == 7);
        return arg;
}
static void end(void)
{
}
#endif

#ifdef ATOMICITY /* check-then-act in two sections */
static int left = 1, taken;
static void *one(void *arg)
{
        int some;

        pthread_mutex_lock(&m);
        some = left;
        pthread_mutex_unlock(&m);
        if (some) {
                pthread_mutex_lock(&m);
                assert(left > 0);
                left--;
                taken++;
                pthread_mutex_unlock(&m);
        }
        return arg;
}
static void *two(void *arg)
{
        return one(arg);
}
static void end(void)
{
}
#endif

#ifdef JOINED /* a deadlock of a mutex and a join */
static pthread_t a;
static void *one(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        return arg;
}
static void *two(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_join(a, NULL);
        pthread_mutex_unlock(&m);
        return arg;
}
static void end(void)
{
}
#endif

#ifdef VALUE /* a combination of values that the sections of no single execution have in their order */
static int x, y;
static void *one(void *arg)
{
        pthread_mutex_lock(&m);
        x = 1;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&l);
        y = 1;
        pthread_mutex_unlock(&l);
        return arg;
}
static void *two(void *arg)
{
        int seen_x, seen_y;

        pthread_mutex_lock(&m);
        seen_x = x;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&l);
        seen_y = y;
        pthread_mutex_unlock(&l);
        assert(seen_x || !seen_y);
        return arg;
}
static void end(void)
{
}
#endif

#ifdef BUFFERED /* fails with store buffers only */
static int x, y, seen_x, seen_y;
static void *one(void *arg)
{
        __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
        seen_y = __atomic_load_n(&y, __ATOMIC_RELAXED);
        return arg;
}
static void *two(void *arg)
{
        __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
        seen_x = __atomic_load_n(&x, __ATOMIC_RELAXED);
        return arg;
}
static void end(void)
{
        assert(seen_x || seen_y);
}
#endif

#ifdef ORDERED /* the accesses to x have one order */
static int x;
static _Atomic int ready;
static void *one(void *arg)
{
        x = 1;
        ready = 1;
        return arg;
}
static void *two(void *arg)
{
        if (ready)
                assert(++x == 2);
        return arg;
}
static void end(void)
{
}
#endif

#ifndef BEGIN
#define BEGIN
#endif

int main(void)
{
#ifndef JOINED
        pthread_t a;
#endif
        pthread_t b;

        BEGIN pthread_create(&a, NULL, one, NULL);
        pthread_create(&b, NULL, two, NULL);
#ifndef JOINED
        pthread_join(a, NULL);
#endif
        pthread_join(b, NULL);
        end();
        return 0;
}
