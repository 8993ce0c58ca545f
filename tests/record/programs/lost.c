/* A lost update.  Each thread works in between, in ROUNDS rounds: programs with another number of them have other paths. */
#include <assert.h>
#include <pthread.h>

static int shared;
static volatile int rounds = ROUNDS;

static void *add(void *arg)
{
        volatile int work = 0;
        int mine = shared;

        for (int i = 0; i < rounds; i++)
                work += i;
        shared = mine + 1;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, add, NULL);
        pthread_create(&t[1], NULL, add, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        assert(shared == 2);
        return 0;
}
