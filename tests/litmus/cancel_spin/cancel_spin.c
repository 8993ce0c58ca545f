/* A loop that only looks for a request is ended by it. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg)
{
        for (;;)
                pthread_testcancel();
        return NULL;
}

int main(void)
{
        pthread_t thread;
        void *value;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_cancel(thread);
        pthread_join(thread, &value);
        assert(value == PTHREAD_CANCELED);
        return 0;
}
