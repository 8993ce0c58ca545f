/* A failure in an exit handler, after the observation: its schedule is the same without --observe. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int x, y;

static void handler(void)
{
        int before = x, after;

        y = 1;
        after = x;
        assert(before == after);
}

static void *writer(void *arg)
{
        if (y)
                x = 1;
        return arg;
}

int main(void)
{
        pthread_t t;

        atexit(handler);
        pthread_create(&t, NULL, writer, NULL);
        pthread_detach(t);
        return 0;
}
