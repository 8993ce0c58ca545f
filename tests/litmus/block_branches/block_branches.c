/* With --preempt sync: what a block touches depends on a value that the other half of a race has written. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y, r;

static void *writer(void *arg)
{
        (void)arg;
        pthread_mutex_lock(&m);
        x = 1;
        pthread_mutex_unlock(&m);
        return NULL;
}

static void *brancher(void *arg)
{
        (void)arg;
        pthread_mutex_lock(&m);
        if (!x)
                y = 1;
        pthread_mutex_unlock(&m);
        return NULL;
}

static void *reader(void *arg)
{
        (void)arg;
        pthread_mutex_lock(&n);
        r = y;
        pthread_mutex_unlock(&n);
        return NULL;
}

int main(void)
{
        RUN(writer, brancher, reader);
        return 0;
}
