/* The processor's time stamp decides what the program does: no schedule can bring that back. */
#include <stdatomic.h>
#include <x86intrin.h>

#include "../litmus.h"

static atomic_int x, y;

static void *worker(void *arg)
{
        for (int i = 0; i < 8; i++) {
                unsigned long long mixed = __rdtsc() * 0x9e3779b97f4a7c15ull;

                if (mixed >> 63)
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
