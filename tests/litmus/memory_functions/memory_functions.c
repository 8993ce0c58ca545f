/* Store buffering done by memset and memcpy: what library functions touch is seen. */
#include <string.h>

#include "../litmus.h"

static char x, y;
char r1, r2;

static void *left(void *arg)
{
        memset(&x, 1, 1);
        memcpy(&r1, &y, 1);
        return NULL;
}

static void *right(void *arg)
{
        memset(&y, 1, 1);
        memmove(&r2, &x, 1);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
