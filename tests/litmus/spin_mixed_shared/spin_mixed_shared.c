/* A thread waits for a word that shares eight bytes with one that is written without atomics: every worker must know it. */
#include <stdatomic.h>

#include "../litmus.h"

static struct {
        _Alignas(8) atomic_int flag;
        int data;
} word;
int sum;

static void *waiter(void *arg)
{
        while (!atomic_load(&word.flag))
                ;
        sum = word.data;
        return arg;
}

static void *setter(void *arg)
{
        word.data = 1;
        atomic_store(&word.flag, 1);
        return arg;
}

int main(void)
{
        RUN(waiter, setter);
        return 0;
}
