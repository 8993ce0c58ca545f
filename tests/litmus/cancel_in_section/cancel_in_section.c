/* A section asks the thread to end and posts what it waits for: before the section the thread could not continue. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>

int cancelled;
static sem_t s;

static void *waits(void *arg)
{
        sem_wait(&s);
        return arg;
}

int main(void)
{
        pthread_t t;
        void *value;

        sem_init(&s, 0, 0);
        pthread_create(&t, NULL, waits, NULL);
        heddle_atomic_begin();
        pthread_cancel(t);
        sem_post(&s);
        heddle_atomic_end();
        pthread_join(t, &value);
        cancelled = value == PTHREAD_CANCELED;
        return 0;
}
