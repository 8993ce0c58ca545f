/* Handlers run under the checker too. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void check(void)
{
        assert(x == 2);
}

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        atexit(check);
        pthread_create(&a, NULL, worker, NULL);
        pthread_create(&b, NULL, worker, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
