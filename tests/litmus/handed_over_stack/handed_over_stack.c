/* A stack variable whose address two threads are given. */
#include <pthread.h>

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
        int x = 0;

        pthread_create(&a, NULL, increment, &x);
        pthread_create(&b, NULL, increment, &x);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        result = x;
        return 0;
}
