/* A loop that ran once is left for another one: that is recognised as soon as if it were the first. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *other(void *arg)
{
        atomic_store(&a, 1);
        atomic_store(&b, 1);
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, other, NULL);
        while (!atomic_load(&a))
                ;
        while (!atomic_load(&b))
                ;
        pthread_join(t, NULL);
        return 0;
}
