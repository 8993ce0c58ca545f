/* A request that comes while cancellation is off is kept until it is on again; a second request changes nothing. */
#include <assert.h>
#include <pthread.h>

int reached, cancelled;

static void *worker(void *arg)
{
        int old;

        assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
        pthread_testcancel();
        reached = 1;
        assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
        pthread_testcancel();
        reached = 2;
        return NULL;
}

int main(void)
{
        pthread_t thread;
        void *value;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_cancel(thread);
        pthread_cancel(thread);
        pthread_join(thread, &value);
        cancelled = value == PTHREAD_CANCELED;
        return 0;
}
