/* A copy that is overtaken between its read and its write loses what was written there. */
#include <string.h>

#include "../litmus.h"

static int x = 1, y = 2;
int v;

static void *copier(void *arg)
{
        memcpy(&x, &y, sizeof x);
        return NULL;
}

static void *other(void *arg)
{
        y = 3;
        x = 4;
        return NULL;
}

int main(void)
{
        RUN(copier, other);
        v = x;
        return 0;
}
