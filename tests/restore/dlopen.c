/* A library is loaded in one thread, used, and unloaded in another. */
#include "restore.h"

#include <dlfcn.h>

static void *library;

static void odd(long n)
{
        if (n == 0) {
                assert(!library);
                library = dlopen(LIBRARY, RTLD_NOW);
                assert(library);
                assert(dlsym(library, SYMBOL));
        } else {
                dlerror();
                assert(!dlopen("no-such-library.so", RTLD_NOW));
                assert(strstr(dlerror(), "no-such"));
        }
}

int main(void)
{
        restore_run();
        assert(dlclose(library) == 0);
        return 0;
}
