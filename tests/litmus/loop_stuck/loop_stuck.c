/* A deadline passes only when nothing else can run.  The last thread that could comes to a loop that waits for a flag, which is
 * raised behind the deadline. */
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

#include "../litmus.h"

sem_t never;
atomic_int flag;

static void *raises(void *arg)
{
        struct timespec t;

        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_sec++;
        sem_timedwait(&never, &t);
        atomic_store(&flag, 1);
        return arg;
}

static void *waits(void *arg)
{
        while (!atomic_load(&flag))
                ;
        return arg;
}

int main(void)
{
        sem_init(&never, 0, 0);
        RUN(raises, waits);
        return 0;
}
