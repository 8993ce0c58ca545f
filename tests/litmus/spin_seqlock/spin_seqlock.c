/* A reader that reads again while a writer is at work. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int version, first, second;
int r1, r2;

static void *writer(void *arg)
{
        atomic_fetch_add(&version, 1);
        atomic_store(&first, 1);
        atomic_store(&second, 1);
        atomic_fetch_add(&version, 1);
        return NULL;
}

static void *reader(void *arg)
{
        int before, after;

        do {
                before = atomic_load(&version);
                r1 = atomic_load(&first);
                r2 = atomic_load(&second);
                after = atomic_load(&version);
        } while (before != after || before % 2 != 0);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
