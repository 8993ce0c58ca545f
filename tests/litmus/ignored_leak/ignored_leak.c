/* A block is lost in one order of two threads. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *kept;

static void *makes(void *arg)
{
        pthread_mutex_lock(&m);
        kept = malloc(8);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *clears(void *arg)
{
        pthread_mutex_lock(&m);
        kept = NULL;
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, makes, NULL);
        pthread_create(&b, NULL, clears, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        free(kept);
        return 0;
}
