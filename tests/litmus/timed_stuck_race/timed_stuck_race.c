/* --timeouts stuck: one takes the lock for good, the other times out; or the other has it first. */
#include <pthread.h>
#include <semaphore.h>

#include "../litmus.h"

int late;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t gone;
static const struct timespec far = {4000000000, 0};

static void *keeps(void *arg)
{
        pthread_mutex_lock(&m);
        sem_wait(&gone);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *tries(void *arg)
{
        late = pthread_mutex_timedlock(&m, &far) != 0;
        if (!late)
                pthread_mutex_unlock(&m);
        sem_post(&gone);
        return arg;
}

int main(void)
{
        sem_init(&gone, 0, 0);
        RUN(keeps, tries);
        return 0;
}
