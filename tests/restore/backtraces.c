/* The stack of a thread is walked. */
#include "restore.h"

#include <execinfo.h>

static void odd(long n)
{
        void *frames[32];
        int count = backtrace(frames, 32);
        char **names;

        assert(count > 0);
        names = backtrace_symbols(frames, count);
        assert(names);
        if (n == 0)
                free(names);
}

int main(void)
{
        restore_run();
        return 0;
}
