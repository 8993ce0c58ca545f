/* Two threads pass a token to each other forever; a third waits for one that no thread posts. */
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b, never;

static void *ping(void *arg)
{
        for (;;) {
                sem_wait(&a);
                sem_post(&b);
        }
        return arg;
}

static void *pong(void *arg)
{
        for (;;) {
                sem_wait(&b);
                sem_post(&a);
        }
        return arg;
}

static void *starved(void *arg)
{
        sem_wait(&never);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        sem_init(&a, 0, 1);
        sem_init(&b, 0, 0);
        sem_init(&never, 0, 0);
        pthread_create(&t[0], NULL, ping, NULL);
        pthread_create(&t[1], NULL, pong, NULL);
        pthread_create(&t[2], NULL, starved, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
