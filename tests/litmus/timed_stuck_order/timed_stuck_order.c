/* --timeouts stuck: when no thread can continue, the earliest deadline passes first. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "../litmus.h"

int order[2], n;
static sem_t s;
static const struct timespec soon = {4000000000, 0}, later = {4000000009, 0};

static void *waits_long(void *arg)
{
        if (sem_timedwait(&s, &later))
                order[n++] = 1;
        return arg;
}

static void *waits_short(void *arg)
{
        if (sem_timedwait(&s, &soon))
                order[n++] = 2;
        return arg;
}

int main(void)
{
        sem_init(&s, 0, 0);
        RUN(waits_long, waits_short);
        return 0;
}
