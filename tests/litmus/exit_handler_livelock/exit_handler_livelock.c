/* A handler of exit waits in a loop for what nobody does. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void handler(void)
{
        while (!flag)
                ;
}

static void *nothing(void *arg)
{
        return arg;
}

int main(void)
{
        pthread_t t;

        atexit(handler);
        pthread_create(&t, NULL, nothing, NULL);
        pthread_detach(t);
        return 0;
}
