/* Recursion without an end, in main or (THREAD=1) in a thread. */
#include <pthread.h>

#ifndef THREAD
#define THREAD 0
#endif

static int descend(volatile char *above)
{
        volatile char here[1000];

        here[0] = above[0];
        if (here[0] == 0) /* never */
                return 0;
        return descend(here) + here[0];
}

static void *worker(void *arg)
{
        volatile char top = 1;

        return (void *)(long)descend(&top);
}

int main(void)
{
        pthread_t thread;

        if (THREAD) {
                pthread_create(&thread, NULL, worker, NULL);
                pthread_join(thread, NULL);
        } else {
                worker(NULL);
        }
        return 0;
}
