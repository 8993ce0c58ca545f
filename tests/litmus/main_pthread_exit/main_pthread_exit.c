/* main leaves by pthread_exit; the process ends, with status 0, when the last thread does. */
#include <pthread.h>

static int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_exit(NULL);
}
