/* A semaphore used as a lock. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t sem;
int x;

static void *worker(void *arg)
{
        sem_wait(&sem);
        x++;
        sem_post(&sem);
        return NULL;
}

int main(void)
{
        sem_init(&sem, 0, 1);
        RUN(worker, worker, worker);
        sem_destroy(&sem);
        return 0;
}
