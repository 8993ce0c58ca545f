/* Coherence: two reads of one variable do not see its write and then not see it. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int x;
int r1, r2;

static void *writer(void *arg)
{
        atomic_store(&x, 1);
        return NULL;
}

static void *reader(void *arg)
{
        r1 = atomic_load(&x);
        r2 = atomic_load(&x);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
