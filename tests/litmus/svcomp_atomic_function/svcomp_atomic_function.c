/* A function is atomic by its name alone. */
#include "../litmus.h"

int x;

void __VERIFIER_atomic_increment(void)
{
        int old = x;

        x = old + 1;
}

static void *worker(void *arg)
{
        __VERIFIER_atomic_increment();
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
