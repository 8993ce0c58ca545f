/* In the shape of racey: every iteration mixes words that the other thread writes.  racey N: N iterations of each thread. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define THREADS 2
#define WORDS   64

static volatile unsigned words[WORDS];
static unsigned sums[THREADS];
static long rounds;

static void *run(void *arg)
{
        intptr_t self = (intptr_t)arg;
        unsigned n = (unsigned)self;

        for (long i = 0; i < rounds; i++) {
                n = (n << 8 | n >> 24) * 2654435761u + words[n % WORDS];
                words[n % WORDS] ^= n;
        }
        sums[self] = n;
        return NULL;
}

static unsigned all(void)
{
        unsigned n = 0;

        for (int i = 0; i < WORDS; i++)
                n = n * 31 + words[i];
        return n ^ sums[0] ^ sums[1] << 1;
}

int main(int argc, char **argv)
{
        pthread_t t[THREADS];
        unsigned alone;

        rounds = argc > 1 ? atol(argv[1]) : 500;
        for (intptr_t i = 0; i < THREADS; i++)
                run((void *)i);
        alone = all();
        for (int i = 0; i < WORDS; i++)
                words[i] = 0;
        for (intptr_t i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, run, (void *)i);
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        assert(all() == alone);
        return 0;
}
