/* The working directory and the umask are changed by threads. */
#include "restore.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static void odd(long n)
{
        char now[PATH_MAX];

        if (n == 0) {
                assert(getcwd(now, sizeof now) && strcmp(now, "/proc"));
                assert(chdir("/proc") == 0);
                assert(getcwd(now, sizeof now) && !strcmp(now, "/proc"));
        } else {
                assert(umask(0135) == 022);
        }
}

int main(void)
{
        umask(022);
        restore_run();
        return 0;
}
