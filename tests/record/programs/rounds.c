/*
 * A thread that counts, one that waits for it, and a lost update.
 *
 *     rounds N        N rounds; built with -DMIXED their branches do not repeat
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done, value;
static long rounds;
static unsigned sum;

static void add(void)
{
        int v = value;

        value = v + 1;
}

static void *count(void *arg)
{
        unsigned s = 1;

        for (long i = 0; i < rounds; i++) {
#ifdef MIXED
                s = s * 1664525u + 1013904223u;
#else
                s += (unsigned)i & 1;
#endif
                if (s >> 31)
                        sum++;
        }
        atomic_store(&done, 1);
        add();
        return arg;
}

static void *wait(void *arg)
{
        while (!atomic_load(&done)) {
        }
        add();
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t a, b;

        rounds = argc > 1 ? atol(argv[1]) : 1000;
        pthread_create(&a, NULL, count, NULL);
        pthread_create(&b, NULL, wait, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(value == 3);
        return 0;
}
