/* A loop that gives up after three looks is not a spin loop: all four ends are reached. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
int looks;

static void *spinner(void *arg)
{
        for (looks = 1; looks <= 3; looks++)
                if (atomic_load(&flag))
                        break;
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
