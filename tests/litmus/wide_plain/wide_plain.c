/* A plain access of 16 bytes is two words, the lower one first; an atomic one would not be. */
#include "../litmus.h"

static __int128 x;
long lower, upper;

static void *writer(void *arg)
{
        x = (__int128)1 << 64 | 1;
        return NULL;
}

static void *reader(void *arg)
{
        __int128 v = x;

        lower = (long)v;
        upper = (long)(v >> 64);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
