/*
 * What mcr does not model and leaves to optimal.
 * WIDE: a store of 16 bytes that is delayed (tso, pso).  SIGNAL: a handler that another thread causes to run.
 * Otherwise nothing: options make it so.
 */
#include <pthread.h>
#include <signal.h>

static int x;

#ifdef WIDE
static __int128 wide __attribute__((aligned(16)));

static void *other(void *arg)
{
        __atomic_store_n(&wide, 5, __ATOMIC_RELEASE);
        return arg;
}

static void meet(pthread_t t)
{
        (void)t;
        if (__atomic_load_n(&wide, __ATOMIC_ACQUIRE))
                __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
}
#elif defined SIGNAL
static void handle(int number)
{
        __atomic_store_n(&x, number, __ATOMIC_SEQ_CST);
}

static void *other(void *arg)
{
        return __atomic_load_n(&x, __ATOMIC_SEQ_CST) ? arg : NULL;
}

static void meet(pthread_t t)
{
        pthread_kill(t, SIGUSR1);
}
#else
static void *other(void *arg)
{
        __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
        return arg;
}

static void meet(pthread_t t)
{
        (void)t;
        __atomic_load_n(&x, __ATOMIC_SEQ_CST);
}
#endif

int main(void)
{
        pthread_t t;

#ifdef SIGNAL
        signal(SIGUSR1, handle);
#endif
        pthread_create(&t, NULL, other, NULL);
        meet(t);
        pthread_join(t, NULL);
        return 0;
}
