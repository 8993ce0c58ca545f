/* An assumption about what another thread has done. */
#include <assert.h>
#include <heddle/heddle.h>
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
int seen;

static void *writer(void *arg)
{
        atomic_store(&flag, 1);
        return NULL;
}

static void *reader(void *arg)
{
        seen = atomic_load(&flag);
        heddle_assume(seen);
        assert(seen == 1);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
