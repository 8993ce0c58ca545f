/* The environment is changed in every way. */
#include "restore.h"

static char put[] = "PUT=1";

static void odd(long n)
{
        if (n == 0) {
                assert(!getenv("SET_IN_THREAD"));
                assert(setenv("SET_IN_THREAD", "a value", 1) == 0);
                assert(!strcmp(getenv("BEFORE"), "x"));
                assert(setenv("BEFORE", "a longer value than before", 1) == 0);
        } else {
                assert(!getenv("PUT"));
                assert(putenv(put) == 0);
                put[4] = '2';
                assert(!strcmp(getenv("PUT"), "2"));
                put[4] = '1';
        }
}

int main(void)
{
        setenv("BEFORE", "x", 1);
        unsetenv("PUT");
        unsetenv("SET_IN_THREAD");
        restore_run();
        unsetenv("BEFORE");
        return 0;
}
