/* Threads that create threads. */
#include <pthread.h>

int x;

static void *leaf(void *arg)
{
        x++;
        return NULL;
}

static void *branch(void *arg)
{
        pthread_t thread;

        pthread_create(&thread, NULL, leaf, NULL);
        pthread_join(thread, NULL);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, branch, NULL);
        pthread_create(&b, NULL, branch, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
