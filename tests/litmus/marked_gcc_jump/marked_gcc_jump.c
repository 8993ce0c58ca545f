/* At -O2 gcc jumps to the hook at the end of a function: what is atomic ends there all the same. */
#include <assert.h>
#include <pthread.h>

static int x, y;

__attribute__((noinline)) void __VERIFIER_atomic_add(int *p)
{
        int v = *p;
        *p = v + 1;
}

static void *adds(void *arg)
{
        __VERIFIER_atomic_add(&x);
        y = y + 1;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, adds, NULL);
        adds(NULL);
        pthread_join(t, NULL);
        assert(x == 2);
        assert(y == 2);
        return 0;
}
