/* A stream locked across a switch, and a mutex, in two orders: printf waits for the stream. */
#include <stdio.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *prints(void *arg)
{
        pthread_mutex_lock(&lock);
        printf("%s\n", "a line");
        pthread_mutex_unlock(&lock);
        return NULL;
}

static void *locks(void *arg)
{
        flockfile(stdout);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        funlockfile(stdout);
        return NULL;
}

int main(void)
{
        RUN(prints, locks);
        return 0;
}
