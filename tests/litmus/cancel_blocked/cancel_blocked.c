/*
 * A thread is asked to end before it comes to its point, where it would have to wait: that it continues there instead, before
 * the request, is not an execution as long as another has the token.
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
static sem_t *volatile shared = &sem; /* a step of its own between the request and the point */
int cancelled;

static void *taker(void *arg)
{
        sem_wait(shared);
        return arg;
}

static void *user(void *arg)
{
        sem_wait(shared);
        shared = &sem;
        sem_post(&sem);
        return arg;
}

int main(void)
{
        pthread_t threads[2];
        void *value;

        sem_init(&sem, 0, 1);
        pthread_create(&threads[0], NULL, taker, NULL);
        pthread_create(&threads[1], NULL, user, NULL);
        pthread_cancel(threads[0]);
        pthread_join(threads[0], &value);
        cancelled = value == PTHREAD_CANCELED;
        if (cancelled)
                pthread_join(threads[1], NULL);
        return 0;
}
