#include <assert.h>
#include <pthread.h>

#include "counter.h"

static void *add(void *arg)
{
        counter_add(*(int *)arg);
        return 0;
}

int main(void)
{
        pthread_t a, b;
        int one = 1, two = 2;

        pthread_create(&a, 0, add, &one);
        pthread_create(&b, 0, add, &two);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(counter_get() == 3);
        return 0;
}
