/* The same with the count in a local variable. */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
int looks;

static void *spinner(void *arg)
{
        int i;

        for (i = 1; i <= 3; i++)
                if (atomic_load(&flag))
                        break;
        looks = i;
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
