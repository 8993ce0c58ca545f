/*
 * A loop whose frame holds something that differs from round to round and from run to run, and that is read after the loop: when it is
 * found to spin is chance.  FIRST: in the first execution, too.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static unsigned random_bit(void)
{
        unsigned r;

        __asm__ volatile("rdrand %0" : "=r"(r) : : "cc");
        return r & 1;
}

static void *waits(void *arg)
{
        volatile unsigned noise;

        do
                noise = random_bit();
        while (!atomic_load(&flag));
        return noise > 1 ? NULL : arg;
}

static void *sets(void *arg)
{
        atomic_store(&flag, 1);
        return arg;
}

int main(void)
{
        pthread_t t;

#ifdef FIRST
        pthread_create(&t, NULL, sets, NULL);
        waits(NULL);
#else
        pthread_create(&t, NULL, waits, NULL);
        sets(NULL);
#endif
        pthread_join(t, NULL);
        return 0;
}
