/* The condition is not checked under the lock: the signal may come before the wait. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *arg)
{
#ifdef FIXED
        pthread_mutex_lock(&m);
        ready = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
#else
        ready = 1;
        pthread_cond_signal(&c);
#endif
        return arg;
}

static void *waiter(void *arg)
{
        pthread_mutex_lock(&m);
        while (!ready)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        RUN(setter, waiter);
        return 0;
}
