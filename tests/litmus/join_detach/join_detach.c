/* A thread is joined by one and detached by another: whoever comes second is told, or does nothing. */
#include <errno.h>
#include <pthread.h>

static pthread_t first;
int detached, joined;

static void *ends(void *arg)
{
        return NULL;
}

static void *detaches(void *arg)
{
        detached = pthread_detach(first);
        return NULL;
}

int main(void)
{
        pthread_t second;

        pthread_create(&first, NULL, ends, NULL);
        pthread_create(&second, NULL, detaches, NULL);
        joined = pthread_join(first, NULL) == EINVAL;
        pthread_join(second, NULL);
        return 0;
}
