/* The processor's random numbers decide what the program does: no schedule can bring that back. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x, y;

static void *worker(void *arg)
{
        for (int i = 0; i < 8; i++) {
                unsigned long random;

                __asm__ volatile("rdrand %0" : "=r"(random) : : "cc");
                if (random & 1)
                        atomic_fetch_add(&x, 1);
                else
                        atomic_fetch_add(&y, 1);
        }
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
