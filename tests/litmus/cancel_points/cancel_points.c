/* Deferred cancellation: at one of two points, or not at all; cleanup handlers run the innermost first. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int cleaned, reached, cancelled;

static void handler(void *arg)
{
        cleaned = cleaned * 10 + *(int *)arg;
}

static void *worker(void *arg)
{
        int one = 1, two = 2;

        pthread_cleanup_push(handler, &one);
        pthread_cleanup_push(handler, &two);
        pthread_testcancel();
        reached = 1;
        sleep(1);
        reached = 2;
        pthread_cleanup_pop(0);
        pthread_cleanup_pop(1);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        void *value;

        pthread_create(&thread, NULL, worker, NULL);
        assert(pthread_cancel(thread) == 0);
        assert(pthread_join(thread, &value) == 0);
        cancelled = value == PTHREAD_CANCELED;
        return 0;
}
