/*
 * N philosophers who ask a waiter (a mutex) before they take their forks, and let the waiter go once they hold both.
 * The order in which the waiter serves decides everything else: N! behaviours.
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef REVERSE
#define REVERSE 0
#endif

static pthread_mutex_t waiter = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t fork_of[N];
static int meals[N];

static void *philosopher(void *arg)
{
        int me = (int)(intptr_t)arg;

        pthread_mutex_lock(&waiter);
        pthread_mutex_lock(&fork_of[me]);
        pthread_mutex_lock(&fork_of[(me + 1) % N]);
        pthread_mutex_unlock(&waiter);
        meals[me]++;
        pthread_mutex_unlock(&fork_of[(me + 1) % N]);
        pthread_mutex_unlock(&fork_of[me]);
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
