/* A consumer that looks once, not in a loop: another one may have been quicker. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;

static void *producer(void *arg)
{
        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                items++;
                pthread_cond_signal(&c);
                pthread_mutex_unlock(&m);
        }
        return arg;
}

static void *consumer(void *arg)
{
        pthread_mutex_lock(&m);
#ifdef FIXED
        while (!items)
#else
        if (!items)
#endif
                pthread_cond_wait(&c, &m);
        items--;
        assert(items >= 0);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        RUN(producer, consumer, consumer);
        return 0;
}
