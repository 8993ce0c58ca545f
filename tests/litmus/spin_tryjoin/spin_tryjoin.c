/* Waiting for the end of a thread by trying. */
#define _GNU_SOURCE
#include <pthread.h>

int x;

static void *worker(void *arg)
{
        x = 1;
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        while (pthread_tryjoin_np(thread, NULL))
                ;
        return x != 1;
}
