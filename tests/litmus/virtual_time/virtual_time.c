/* Sleeping takes no real time, moves the sleeper's clock, and is not a synchronisation. */
#include <assert.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "../litmus.h"

atomic_int x;

static void *sleeper(void *arg)
{
        time_t before = time(NULL);

        sleep(3600);
        assert(time(NULL) >= before + 3600);
        atomic_store(&x, 1);
        return NULL;
}

static void *other(void *arg)
{
        atomic_store(&x, 2);
        return NULL;
}

int main(void)
{
        RUN(sleeper, other);
        return 0;
}
