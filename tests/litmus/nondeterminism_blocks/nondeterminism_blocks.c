/*
 * The timer slack of the process counts executions, which no schedule can bring back: after three of them the semaphore has no token any more, and the
 * thread that is to go next is blocked.
 */
#include <semaphore.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../litmus.h"

static sem_t s;
static long start;

static void *first(void *arg)
{
        long n = syscall(SYS_prctl, PR_GET_TIMERSLACK) - start;

        n += n < 100;
        syscall(SYS_prctl, PR_SET_TIMERSLACK, start + n);
        sem_init(&s, 0, n <= 3);
        return arg;
}

static void *tries(void *arg)
{
        if (sem_trywait(&s) == 0)
                sem_post(&s);
        return arg;
}

static void *waits(void *arg)
{
        sem_wait(&s);
        return arg;
}

int main(void)
{
        start = syscall(SYS_prctl, PR_GET_TIMERSLACK);
        sem_init(&s, 0, 1);
        RUN(first, tries, waits);
        return 0;
}
