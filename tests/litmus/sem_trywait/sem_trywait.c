/* trywait fails on an empty semaphore with EAGAIN; getvalue looks at it. */
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

#include "../litmus.h"

static sem_t sem;
int got, value;

static void *poster(void *arg)
{
        sem_post(&sem);
        return NULL;
}

static void *taker(void *arg)
{
        if (sem_trywait(&sem) == 0)
                got = 1;
        else
                assert(errno == EAGAIN);
        sem_getvalue(&sem, &value);
        return NULL;
}

int main(void)
{
        sem_init(&sem, 0, 0);
        RUN(poster, taker);
        return 0;
}
