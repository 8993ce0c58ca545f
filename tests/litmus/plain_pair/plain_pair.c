/* Neighbouring variables in one cache line, and even in one word, are not the same variable. */
#include <assert.h>

#include "../litmus.h"

static char a[2];

static void *left(void *arg)
{
        a[0]++;
        return NULL;
}

static void *right(void *arg)
{
        a[1]++;
        return NULL;
}

int main(void)
{
        RUN(left, right);
        assert(a[0] == 1 && a[1] == 1);
        return 0;
}
