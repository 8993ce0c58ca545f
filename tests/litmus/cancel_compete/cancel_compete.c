/*
 * Two threads wait for one token; main, if it is the one, cancels the other.  That the other gets the token, and main
 * waits forever, shows only if what the cancelled thread gave up is seen to have raced with main's wait.
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *taker(void *arg)
{
        sem_wait(&sem);
        return NULL;
}

static void *poster(void *arg)
{
        sem_post(&sem);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        sem_init(&sem, 0, 0);
        pthread_create(&a, NULL, taker, NULL);
        pthread_create(&b, NULL, poster, NULL);
        sem_wait(&sem);
        pthread_cancel(a);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
