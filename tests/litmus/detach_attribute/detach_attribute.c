/* Created detached, and told to main by a semaphore that it is done. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int x;

static void *worker(void *arg)
{
        x = 1;
        sem_post(&done);
        return NULL;
}

int main(void)
{
        pthread_attr_t attr;
        pthread_t thread;

        sem_init(&done, 0, 0);
        pthread_attr_init(&attr);
        pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
        pthread_create(&thread, &attr, worker, NULL);
        sem_wait(&done);
        assert(x == 1);
        return 0;
}
