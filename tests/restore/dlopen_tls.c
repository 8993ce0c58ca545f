/* A library with thread-local data is loaded while threads run, and each gets its own. */
#include "restore.h"

#include <dlfcn.h>

static void odd(long n)
{
        void *library = dlopen(getenv("TLS_LIBRARY"), RTLD_NOW);
        int *(*count)(void) = (int *(*)(void))dlsym(library, "library_count");
        char *(*block)(void) = (char *(*)(void))dlsym(library, "library_block");

        assert(*count() == 11 && *count() == 12);
        assert(block()[0] == 0 && block()[99] == 0);
        block()[99] = (char)(n + 1);
        restore_shared++;
        assert(*count() == 13 && block()[99] == n + 1);
}

int main(void)
{
        restore_run();
        return 0;
}
