/* A wait that may time out: before the signal, or it is signalled, or the signal comes before it. */
#include <errno.h>
#include <pthread.h>

#include "../litmus.h"

int late;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec far = {4000000000, 0};

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        late = pthread_cond_timedwait(&c, &m, &far) == ETIMEDOUT;
        pthread_mutex_unlock(&m);
        return arg;
}

static void *signals(void *arg)
{
        pthread_cond_signal(&c);
        return arg;
}

int main(void)
{
        RUN(waits, signals);
        return 0;
}
