/* Names of the machine, its figures, and the program's own. */
#include "restore.h"

#include <errno.h>
#include <sys/utsname.h>
#include <unistd.h>

static void odd(long n)
{
        char name[256];
        struct utsname u;

        if (n == 0) {
                assert(gethostname(name, sizeof name) == 0);
                assert(sysconf(_SC_NPROCESSORS_ONLN) > 0 && sysconf(_SC_OPEN_MAX) != 0);
        } else {
                assert(uname(&u) == 0 && !strcmp(u.sysname, "Linux"));
                assert(ttyname(0) == NULL && errno);
                assert(confstr(_CS_PATH, name, sizeof name) > 0);
        }
}

int main(void)
{
        restore_run();
        return 0;
}
