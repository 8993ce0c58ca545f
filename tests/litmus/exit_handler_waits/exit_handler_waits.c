/* A handler of exit waits for a thread, and another thread waits for ever: that is no deadlock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t worker;

static void handler(void)
{
        pthread_join(worker, NULL);
}

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        return arg;
}

static void *ends(void *arg)
{
        return arg;
}

int main(void)
{
        pthread_t t;

        atexit(handler);
        pthread_create(&t, NULL, waits, NULL);
        pthread_detach(t);
        pthread_create(&worker, NULL, ends, NULL);
        return 0;
}
