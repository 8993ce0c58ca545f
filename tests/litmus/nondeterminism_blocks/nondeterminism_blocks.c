/*
 * A file counts executions, which no schedule can bring back: after three of them the semaphore has no token any more, and the
 * thread that is to go next is blocked.
 */
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../litmus.h"

static sem_t s;
static int file;

static void *first(void *arg)
{
        char n = 0;

        pread(file, &n, 1, 0);
        n += n < 100;
        pwrite(file, &n, 1, 0);
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
        file = memfd_create("count", 0);
        sem_init(&s, 0, 1);
        RUN(first, tries, waits);
        return 0;
}
