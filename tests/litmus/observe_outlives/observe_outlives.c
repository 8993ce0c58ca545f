/* A thread writes what --observe reads when main returns: without points at its accesses an outcome is missing. */
#include <pthread.h>
#include <stddef.h>

int x, y;

static void *thread(void *arg)
{
        x = 1;
        y = 1;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, thread, NULL);
        pthread_detach(t);
        return 0;
}
