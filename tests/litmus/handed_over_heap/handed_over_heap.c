/* A heap block that two threads are given. */
#include <pthread.h>
#include <stdlib.h>

int result;

static void *increment(void *arg)
{
        int *x = arg;

        ++*x;
        return NULL;
}

int main(void)
{
        pthread_t a, b;
        int *x = calloc(1, sizeof *x);

        pthread_create(&a, NULL, increment, x);
        pthread_create(&b, NULL, increment, x);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        result = *x;
        free(x);
        return 0;
}
