/*
 * N philosophers and N-1 seats (a semaphore): one with a seat takes two forks.  No thread can wait in a circle.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#ifndef N
#define N 4
#endif
static sem_t seats;
static pthread_mutex_t fork_of[N];
static int meals[N];
static void *philosopher(void *arg)
{
        int me = (int)(intptr_t)arg;
        sem_wait(&seats);
        pthread_mutex_lock(&fork_of[me]);
        pthread_mutex_lock(&fork_of[(me + 1) % N]);
        meals[me]++;
        pthread_mutex_unlock(&fork_of[(me + 1) % N]);
        pthread_mutex_unlock(&fork_of[me]);
        sem_post(&seats);
        return NULL;
}
int main(void)
{
        pthread_t threads[N];
        sem_init(&seats, 0, N - 1);
        for (int i = 0; i < N; i++)
                pthread_mutex_init(&fork_of[i], NULL);
        for (int i = 0; i < N; i++)
                pthread_create(&threads[i], NULL, philosopher, (void *)(intptr_t)i);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        for (int i = 0; i < N; i++)
                assert(meals[i] == 1);
        return 0;
}
