/* One post, two waits. */
#include <semaphore.h>

#include "../litmus.h"

static sem_t sem;

static void *poster(void *arg)
{
        sem_post(&sem);
        return NULL;
}

static void *taker(void *arg)
{
        sem_wait(&sem);
        return NULL;
}

int main(void)
{
        sem_init(&sem, 0, 0);
        RUN(poster, taker, taker);
        return 0;
}
