/* The execution is cut where a thread that waits in a join finds that it is cancelled. */
#include <pthread.h>
#include <semaphore.h>

static pthread_t waiter, canceller;
static sem_t posted;

static void *cancels(void *arg)
{
        pthread_cancel(waiter);
        return arg;
}

static void *waits(void *arg)
{
        sem_post(&posted);
        pthread_create(&canceller, NULL, cancels, NULL);
        pthread_join(canceller, NULL);
        return arg;
}

int main(void)
{
        sem_init(&posted, 0, 0);
        pthread_create(&waiter, NULL, waits, NULL);
        sem_wait(&posted);
        pthread_join(waiter, NULL);
        return 0;
}
