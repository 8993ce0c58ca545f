/* x[2] takes the value of x[1] before x[1] takes that of x[0]: of these writes no thread sees the second without the first. */
#include <assert.h>
#include <string.h>

#include "../litmus.h"

static volatile long x[3] = {1, 2, 3};
long a, c;

static void *mover(void *arg)
{
        memmove((void *)(x + 1), (void *)x, 2 * sizeof x[0]);
        return NULL;
}

static void *reader(void *arg)
{
        long first = x[1], second = x[2];

        assert(!(first == 1 && second == 3));
        a = first;
        c = x[2];
        return NULL;
}

int main(void)
{
        RUN(mover, reader);
        return 0;
}
