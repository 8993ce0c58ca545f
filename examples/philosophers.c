/*
 * Dining philosophers.  If each takes the fork on the left first, all of them may hold one fork and wait for the other
 * forever.  With -DTWIST the last one takes the right fork first, which breaks the circle.
 *
 *     heddle check examples/philosophers.c
 *     heddle check -DTWIST examples/philosophers.c
 *     heddle check -DTWIST -DN=7 examples/philosophers.c
 */
#include <pthread.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t fork_of[N];
static int meals[N];

static void *philosopher(void *arg)
{
        int me = (int)(long)arg, first = me, second = (me + 1) % N;

#ifdef TWIST
        if (me == N - 1) {
                first = second;
                second = me;
        }
#endif
        pthread_mutex_lock(&fork_of[first]);
        pthread_mutex_lock(&fork_of[second]);
        meals[me]++;
        pthread_mutex_unlock(&fork_of[second]);
        pthread_mutex_unlock(&fork_of[first]);
        return NULL;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_mutex_init(&fork_of[i], NULL);
        for (long i = 0; i < N; i++)
                pthread_create(&t[i], NULL, philosopher, (void *)i);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
        return 0;
}
