/* A handler of exit waits for a lock that is held by the thread that waits for the end of the one that exits. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(void)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
}

static void *ends_all(void *arg)
{
        (void)arg;
        exit(0);
}

int main(void)
{
        pthread_t t;

        atexit(handler);
        pthread_create(&t, NULL, ends_all, NULL);
        pthread_mutex_lock(&m);
        pthread_join(t, NULL);
        pthread_mutex_unlock(&m);
        return 0;
}
