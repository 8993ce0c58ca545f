/* A call that is not modelled. */
#include <pthread.h>
#include <unistd.h>

static void *worker(void *arg)
{
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        fork();
        pthread_join(thread, NULL);
        return 0;
}
