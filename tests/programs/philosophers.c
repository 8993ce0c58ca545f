/*
 * N philosophers round a table, a mutex for each fork; each eats once.
 *
 * With TWIST (the default) the last one takes its forks in the other order.  A fork is shared by two neighbours, so a
 * behaviour is one bit per fork, and the two rings in which everybody waits for everybody are impossible: 2^N - 2.
 * Without it one more behaviour is the deadlock: 2^N - 1.
 *
 * REVERSE creates the threads in the other order, which changes nothing.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef TWIST
#define TWIST 1
#endif
#ifndef REVERSE
#define REVERSE 0
#endif

static pthread_mutex_t fork_of[N];
static int meals[N];

static void *philosopher(void *arg)
{
        int me = (int)(intptr_t)arg;
        int first = me, second = (me + 1) % N;

        if (TWIST && me == N - 1) {
                first = second;
                second = me;
        }
        pthread_mutex_lock(&fork_of[first]);
        pthread_mutex_lock(&fork_of[second]);
        meals[me]++;
        pthread_mutex_unlock(&fork_of[second]);
        pthread_mutex_unlock(&fork_of[first]);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++)
                pthread_mutex_init(&fork_of[i], NULL);
        for (int i = 0; i < N; i++) {
                int who = REVERSE ? N - 1 - i : i;
                pthread_create(&threads[who], NULL, philosopher, (void *)(intptr_t)who);
        }
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        for (int i = 0; i < N; i++)
                assert(meals[i] == 1);
        return 0;
}
