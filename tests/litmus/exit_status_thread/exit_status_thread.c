/* A thread ends the process with status 3. */
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg)
{
        exit(3);
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_join(thread, NULL);
        return 0;
}
