/* Two buffers of one slot each, taken in two orders. */
#include <semaphore.h>

#include "bugs.h"

static sem_t a, b;

static void *first(void *arg)
{
        sem_wait(&a);
        sem_wait(&b);
        sem_post(&b);
        sem_post(&a);
        return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
        return first(arg);
#else
        sem_wait(&b);
        sem_wait(&a);
        sem_post(&a);
        sem_post(&b);
        return arg;
#endif
}

int main(void)
{
        sem_init(&a, 0, 1);
        sem_init(&b, 0, 1);
        RUN(first, second);
        return 0;
}
