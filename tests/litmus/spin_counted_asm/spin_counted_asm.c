/* The same by inline assembly: the counter is beside a local that is dead at the load. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_long flag;
int looks;

static void *spinner(void *arg)
{
        long i = 1, seen;

        for (; i <= 3; i++) {
                __asm__ volatile("movq %1, %%rax\n\tmovq %%rax, %0" : "=m"(seen) : "m"(flag) : "rax", "memory");
                if (seen)
                        break;
        }
        looks = (int)i;
        return NULL;
}

static void *setter(void *arg)
{
        atomic_store(&flag, 1);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
