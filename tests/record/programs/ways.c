/* One assertion, two ways to it: the flag was seen, or it was not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag, a, b;

static void *setter(void *arg)
{
        atomic_store(&flag, 1);
        return arg;
}

static void *looker(void *arg)
{
        if (arg)
                usleep(20000);
        if (atomic_load(&flag))
                atomic_fetch_add(&a, 1);
        else
                atomic_store(&b, 1);
        assert(a + b == 2);
        return arg;
}

int main(int argc, char **argv)
{
        pthread_t t, u;

        (void)argv;
        pthread_create(&u, NULL, looker, argc > 1 ? &flag : NULL);
        pthread_create(&t, NULL, setter, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
