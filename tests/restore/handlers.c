/* Exit handlers registered before and in the threads, and a destructor. */
#include "restore.h"

static int ran;

static void early(void)
{
        assert(ran == 2);
}

static void late(void)
{
        ran++;
}

__attribute__((destructor)) static void last(void)
{
        assert(ran == 2);
}

static void odd(long n)
{
        assert(atexit(late) == 0);
        (void)n;
}

int main(void)
{
        atexit(early);
        restore_run();
        return 0;
}
