/* A semaphore of two lets two threads in. */
#include <semaphore.h>
#include <stdatomic.h>

#include "../litmus.h"

static sem_t sem;
static atomic_int inside;
int most; /* under `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
        int now;

        sem_wait(&sem);
        now = atomic_fetch_add(&inside, 1) + 1;
        pthread_mutex_lock(&lock);
        if (now > most)
                most = now;
        pthread_mutex_unlock(&lock);
        atomic_fetch_sub(&inside, 1);
        sem_post(&sem);
        return NULL;
}

int main(void)
{
        sem_init(&sem, 0, 2);
        RUN(worker, worker, worker);
        return 0;
}
