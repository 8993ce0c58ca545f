/* Three are wanted, two come. */
#include <pthread.h>

#include "../litmus.h"

static pthread_barrier_t b;

static void *comes(void *arg)
{
        pthread_barrier_wait(&b);
        return arg;
}

int main(void)
{
        pthread_barrier_init(&b, NULL, 3);
        RUN(comes, comes);
        return 0;
}
