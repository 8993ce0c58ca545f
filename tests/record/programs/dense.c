/* Threads that change one word without order, and branch on it: every step of one conflicts with every step of the other.
 * dense N: N rounds of each. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2

static volatile unsigned word = 1;
static volatile int started;
static unsigned some[THREADS];
static long rounds;

static void step(void)
{
        if (word & 1)
                word = word * 3 + 1;
        else
                word = word / 2 + 5;
}

static void *run(void *arg)
{
        unsigned *mine = arg;

        __sync_fetch_and_add(&started, 1);
        while (started < THREADS) {
        }
        for (long i = 0; i < rounds; i++) {
                step();
                if (word % 7 == 3)
                        ++*mine;
        }
        return NULL;
}

int main(int argc, char **argv)
{
        pthread_t t[THREADS];
        unsigned alone;

        rounds = argc > 1 ? atol(argv[1]) : 100;
        for (long i = 0; i < THREADS * rounds; i++)
                step();
        alone = word;
        word = 1;
        for (int i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, run, &some[i]);
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        assert(word == alone);
        return 0;
}
