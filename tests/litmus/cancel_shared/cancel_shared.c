/* A request to end reaches a thread before or while it waits for a semaphore; two explorers share the orders. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

int ended;
static pthread_t t[4];
static sem_t s[2];

static void *waits_twice(void *arg)
{
        sem_wait(&s[1]);
        sem_wait(&s[0]);
        return arg;
}

static void *cancels(void *arg)
{
        pthread_cancel(t[1]);
        return arg;
}

static void *waits(void *arg)
{
        sem_wait(&s[1]);
        return arg;
}

int main(void)
{
        sem_init(&s[0], 0, 0);
        sem_init(&s[1], 0, 1);
        pthread_create(&t[1], NULL, waits_twice, NULL);
        pthread_create(&t[2], NULL, cancels, NULL);
        pthread_create(&t[3], NULL, waits, NULL);
        sem_post(&s[0]);
        pthread_join(t[1], NULL);
        ended = !pthread_tryjoin_np(t[2], NULL);
        if (!ended)
                pthread_join(t[2], NULL);
        pthread_join(t[3], NULL);
        return 0;
}
