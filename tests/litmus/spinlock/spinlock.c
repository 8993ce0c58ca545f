/* Spinlocks, two of them in eight bytes. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#include "../litmus.h"

int n, failed;
static pthread_spinlock_t lock[2] __attribute__((aligned(8)));

static void *add(void *arg)
{
        pthread_spin_lock(&lock[0]);
        n++;
        pthread_spin_unlock(&lock[0]);
        return arg;
}

static void *try(void *arg)
{
        if (pthread_spin_trylock(&lock[0]) == EBUSY)
                failed = 1;
        else
                pthread_spin_unlock(&lock[0]);
        assert(pthread_spin_trylock(&lock[1]) == 0);
        assert(pthread_spin_trylock(&lock[1]) == EBUSY);
        pthread_spin_unlock(&lock[1]);
        return arg;
}

int main(void)
{
        pthread_spin_init(&lock[0], PTHREAD_PROCESS_PRIVATE);
        pthread_spin_init(&lock[1], PTHREAD_PROCESS_PRIVATE);
        RUN(add, try);
        pthread_spin_destroy(&lock[0]);
        assert(n == 1);
        return 0;
}
