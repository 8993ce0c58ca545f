/* A handler may be registered before or after exit takes the handlers off the list. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int late;

static void check(void)
{
        assert(!late);
}

static void *registers(void *arg)
{
        late = 1;
        atexit(check);
        return arg;
}

int main(void)
{
        pthread_t a;

        pthread_create(&a, NULL, registers, NULL);
        return 0;
}
