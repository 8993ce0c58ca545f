/* A request to a thread that may be cancelled at any instruction is not modelled. */
#include <pthread.h>

static void *worker(void *arg)
{
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        return 0;
}
