/* A thread is joined by one and detached by another: the thread that comes second misuses the handle. */
#include <pthread.h>

static pthread_t first;

static void *ends(void *arg)
{
        return NULL;
}

static void *detaches(void *arg)
{
        pthread_detach(first);
        return NULL;
}

int main(void)
{
        pthread_t second;

        pthread_create(&first, NULL, ends, NULL);
        pthread_create(&second, NULL, detaches, NULL);
        pthread_join(first, NULL);
        pthread_join(second, NULL);
        return 0;
}
