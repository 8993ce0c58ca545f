/* errno and __thread variables belong to their thread, whatever runs in between. */
#include <assert.h>
#include <errno.h>
#include <sched.h>

#include "../litmus.h"

static __thread int mine;

static void *one(void *arg)
{
        errno = mine = 1;
        sched_yield();
        assert(errno == 1 && mine == 1);
        return NULL;
}

static void *two(void *arg)
{
        errno = mine = 2;
        sched_yield();
        assert(errno == 2 && mine == 2);
        return NULL;
}

int main(void)
{
        RUN(one, two);
        return 0;
}
