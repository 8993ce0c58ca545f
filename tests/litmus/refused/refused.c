/* A call of libpthread that is not modelled yet. */
#include <pthread.h>

static void *worker(void *arg)
{
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
