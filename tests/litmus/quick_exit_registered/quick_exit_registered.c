/* A handler may be registered before quick_exit looks for handlers, or too late. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void)
{
        assert(!"reached");
}

static void *thread(void *arg)
{
        at_quick_exit(handler);
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, thread, NULL);
        quick_exit(0);
}
