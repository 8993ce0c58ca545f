/* A detached thread that fails. */
#include <assert.h>
#include <pthread.h>

static void *worker(void *arg)
{
        pthread_detach(pthread_self());
        assert(arg != NULL);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        return 0;
}
