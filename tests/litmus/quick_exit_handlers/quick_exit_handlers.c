/* quick_exit runs its own handlers, last one first, and not those of exit. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int n, x;

static void first(void)
{
        assert(n == 1);
#ifdef BAD
        assert(x == 0);
#endif
        n = 2;
}

static void second(void)
{
        assert(n == 0);
        n = 1;
}

static void of_exit(void)
{
        assert(!"reached");
}

static void *thread(void *arg)
{
        x = 1;
        return arg;
}

int main(void)
{
        pthread_t t;

        atexit(of_exit);
        at_quick_exit(first);
        at_quick_exit(second);
        pthread_create(&t, NULL, thread, NULL);
        pthread_join(t, NULL);
        quick_exit(0);
}
