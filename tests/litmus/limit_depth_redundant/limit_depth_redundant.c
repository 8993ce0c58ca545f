/* Of two equivalent executions the one that is explored is cut at the depth, and the redundant one reaches the failure. */
#include <assert.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "../litmus.h"

static const struct timespec until = {2000000000, 0};
static sem_t one, none;
static atomic_int x;

static void *fails(void *arg)
{
        atomic_store(&x, 3);
        if (sem_timedwait(&one, &until) == 0)
                (void)sem_trywait(&one);
        sem_wait(&one);
        assert(atomic_load(&x) != 3);
        return arg;
}

static void *stops(void *arg)
{
        sem_wait(&none);
        return arg;
}

static void *posts(void *arg)
{
        (void)atomic_load(&x);
        (void)sem_timedwait(&none, &until);
        (void)sem_trywait(&one);
        sem_post(&one);
        return arg;
}

int main(void)
{
        sem_init(&one, 0, 1);
        sem_init(&none, 0, 0);
        RUN(posts, stops, fails);
        return 0;
}
