/*
 * Sleep and wakeup as kernels do it: the sleeper says that it sleeps and looks once more; the waker sets the condition and
 * looks whether a thread sleeps.  Without the fences both can look too early, and the wakeup is lost.
 *
 *     -DFENCE   with them
 */
#include <semaphore.h>
#include <stdatomic.h>

#include "../../litmus/litmus.h"

static volatile int sleeps, condition;
static sem_t wakeup;

#ifdef FENCE
#define FULL() __sync_synchronize()
#else
#define FULL() ((void)0)
#endif

static void *sleeper(void *arg)
{
        sleeps = 1;
        FULL();
        if (!condition)
                sem_wait(&wakeup);
        return arg;
}

static void *waker(void *arg)
{
        condition = 1;
        FULL();
        if (sleeps)
                sem_post(&wakeup);
        return arg;
}

int main(void)
{
        sem_init(&wakeup, 0, 0);
        RUN(sleeper, waker);
}
