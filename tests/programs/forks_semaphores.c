/*
 * N philosophers whose forks are semaphores, without a rule for the order: they can wait in a circle.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static sem_t fork_of[N];

static void *philosopher(void *arg)
{
        int me = (int)(intptr_t)arg;

        sem_wait(&fork_of[me]);
        sem_wait(&fork_of[(me + 1) % N]);
        sem_post(&fork_of[(me + 1) % N]);
        sem_post(&fork_of[me]);
        return NULL;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                sem_init(&fork_of[i], 0, 1);
        for (int i = 0; i < N; i++)
                pthread_create(&t[i], NULL, philosopher, (void *)(intptr_t)i);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
        return 0;
}
