/* Within a bound no thread is preempted before a wait that may time out: after the timeout another wait follows. */
#include "../litmus.h"

int woken;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec far = {4000000000, 0};

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        woken = pthread_cond_timedwait(&c, &m, &far) == 0;
        pthread_cond_wait(&c, &m);
        woken += 2;
        pthread_mutex_unlock(&m);
        return NULL;
}

static void *wakes(void *arg)
{
        pthread_cond_broadcast(&c);
        return NULL;
}

int main(void)
{
        RUN(waits, wakes);
        return 0;
}
