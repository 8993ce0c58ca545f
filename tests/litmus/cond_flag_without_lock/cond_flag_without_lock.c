/* The classic lost wakeup: the condition changes without the lock. */
#include <stdatomic.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int go;

static void *waiter(void *arg)
{
        pthread_mutex_lock(&lock);
        while (!atomic_load(&go))
                pthread_cond_wait(&cond, &lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

static void *signaller(void *arg)
{
        atomic_store(&go, 1);
        pthread_cond_signal(&cond);
        return NULL;
}

int main(void)
{
        RUN(waiter, signaller);
        return 0;
}
