/* A thread waits in a loop, long enough to fill a small ring, before two threads lose an update. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static volatile int total;

static void *first(void *arg)
{
        for (volatile int i = 0; i < 5000; i++)
                if (i < 0)
                        return NULL;
        atomic_store(&ready, 1);
        int old = total;
        if (arg)
                while (atomic_load(&ready) < 2)
                        ;
        total = old + 1;
        return arg;
}

static void *second(void *arg)
{
        while (!atomic_load(&ready))
                ;
        total = total + 1;
        atomic_store(&ready, 2);
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t t, u;

        (void)argv;
        pthread_create(&t, NULL, first, argc > 1 ? &t : NULL);
        pthread_create(&u, NULL, second, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(total == 2);
        return 0;
}
