/* Waits forever in a loop around two others that end: no place of it is the only one that comes again and again. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *other(void *arg)
{
        for (;;) {
                for (int i = 0; i < 3; i++)
                        if (atomic_load(&never))
                                return arg;
                for (int i = 0; i < 5; i++)
                        if (atomic_load(&never) == 2)
                                return arg;
        }
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, other, NULL);
        pthread_join(t, NULL);
        return 0;
}
