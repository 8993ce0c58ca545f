/* A thread ends the process with status 0 while main waits for something else. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
        exit(0);
}

int main(void)
{
        pthread_t thread;

        pthread_mutex_lock(&never);
        pthread_create(&thread, NULL, worker, NULL);
        pthread_mutex_lock(&never);
        return 1;
}
