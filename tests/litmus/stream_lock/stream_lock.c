/* flockfile makes a critical section; printf in it is the owner's, and its floating-point arguments arrive. */
#include <stdio.h>
#include <string.h>

#include "../litmus.h"

int x, right;

static void *worker(void *arg)
{
        char line[32];
        FILE *f = fmemopen(line, sizeof line, "w");

        flockfile(stdout);
        int v = x;
        printf("%f\n", 1.0 + v);
        x = v + 1;
        funlockfile(stdout);
        fprintf(f, "%g %d %g", 1.5, 3, 2.5);
        fclose(f);
        if (strcmp(line, "1.5 3 2.5") == 0)
                __atomic_store_n(&right, 1, __ATOMIC_RELAXED);
        return NULL;
}

int main(void)
{
        RUN(worker, worker, worker);
        return right != 1;
}
