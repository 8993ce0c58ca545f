/* Two threads compete for one token; main cancels the other, which has it, waits for it, or has not come yet. */
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;
int cancelled, stuck;

static void *taker(void *arg)
{
        sem_wait(&sem);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        void *value;

        sem_init(&sem, 0, 1);
        pthread_create(&thread, NULL, taker, NULL);
        stuck = sem_trywait(&sem) != 0;
        pthread_cancel(thread);
        pthread_join(thread, &value);
        cancelled = value == PTHREAD_CANCELED;
        return 0;
}
