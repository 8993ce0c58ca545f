/* An atomic of 16 bytes: a reader sees all of it or nothing of it. */
#include "../litmus.h"

struct pair {
        long low, high;
};

static _Atomic struct pair shared;
long low, high;

static void *writer(void *arg)
{
        shared = (struct pair){1, 2};
        return NULL;
}

static void *reader(void *arg)
{
        struct pair seen = shared;

        low = seen.low;
        high = seen.high;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
