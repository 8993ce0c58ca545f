/* A request to end reaches a thread before or while it waits for a semaphore; two explorers share the orders. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

long r[4];
static pthread_t t[4];
static sem_t s[2], *sp[2] = {&s[0], &s[1]};

static void *waits_twice(void *arg)
{
        sem_wait(sp[1]);
        sem_wait(sp[0]);
        r[1] = 1;
        return arg;
}

static void *cancels(void *arg)
{
        pthread_cancel(t[1]);
        r[2] = 1;
        return arg;
}

static void *waits(void *arg)
{
        sem_wait(sp[1]);
        r[3] = 1;
        return arg;
}

int main(void)
{
        sem_init(&s[0], 0, 0);
        sem_init(&s[1], 0, 1);
        pthread_create(&t[1], NULL, waits_twice, NULL);
        pthread_create(&t[2], NULL, cancels, NULL);
        pthread_create(&t[3], NULL, waits, NULL);
        sem_post(sp[0]);
        pthread_join(t[1], NULL);
        r[0] = !pthread_tryjoin_np(t[2], NULL);
        if (!r[0])
                pthread_join(t[2], NULL);
        pthread_join(t[3], NULL);
        return 0;
}
