/* --timeouts stuck: a replay stops the others where their last transition ended.  Before the deadline passes they go on from there to
 * where they wait. */
#include <assert.h>
#include <pthread.h>

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec far = {4000000000, 0};

static void *late(void *arg)
{
        pthread_mutex_lock(&m);
        assert(pthread_mutex_timedlock(&m, &far) != 0);
        pthread_mutex_lock(&m);
        return arg;
}

int main(void)
{
        RUN(late);
        return 0;
}
