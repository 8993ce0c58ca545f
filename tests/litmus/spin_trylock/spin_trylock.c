/* A spin loop over a mutex. */
#include <assert.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void acquire(void)
{
        while (pthread_mutex_trylock(&lock) != 0)
                ;
}

static void release(void)
{
        pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
        acquire();
        counter++;
        release();
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        assert(counter == 2);
        return 0;
}
