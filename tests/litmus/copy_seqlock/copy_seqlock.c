/* A sequence lock around a struct copy; with -DRECHECK the reader looks again. */
#include <assert.h>
#include <stdatomic.h>

#include "../litmus.h"

static struct data {
        long a, b, c;
} data;
static atomic_int seq;

static void *writer(void *arg)
{
        struct data d = {1, 1, 1};

        atomic_fetch_add(&seq, 1);
        data = d;
        atomic_fetch_add(&seq, 1);
        return NULL;
}

static void *reader(void *arg)
{
        int s = atomic_load(&seq);
        struct data d = data;

        if (s & 1)
                return NULL;
#ifdef RECHECK
        if (atomic_load(&seq) != s)
                return NULL;
#endif
        assert(d.a == d.b && d.b == d.c);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
