/* A thread waits until a word is not 5 any more.  The lower half is 5 for some time after that. */
#include <stdatomic.h>

#include "../litmus.h"

static union {
        atomic_int half[2];
        atomic_long word;
} u = {{5, 0}};
int seen;

static void *waits(void *arg)
{
        long w;

        do
                w = atomic_load(&u.word);
        while (w == 5);
        seen = (int)w;
        return arg;
}

static void *writes(void *arg)
{
        atomic_store(&u.half[1], 1);
        atomic_store(&u.half[0], 6);
        return arg;
}

int main(void)
{
        RUN(waits, writes);
        return 0;
}
