/* Eight bytes that begin in the middle of a word are two words, of four bytes each. */
#include <string.h>

#include "../litmus.h"

static char x[16] __attribute__((aligned(8)));
int lower, upper;

static void *writer(void *arg)
{
        memset(x + 4, 1, 8);
        return NULL;
}

static void *reader(void *arg)
{
        lower = x[4];
        upper = x[8];
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
