/* A ticket lock; the next one is let in by a store of the order RELEASE. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif

static atomic_uint next, now;
static int a, b;

static void *worker(void *arg)
{
        unsigned me = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);

        while (atomic_load_explicit(&now, memory_order_acquire) != me)
                ;
        a++;
        b++;
        assert(a == b);
        atomic_store_explicit(&now, me + 1, RELEASE);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        assert(a == 3);
        return 0;
}
