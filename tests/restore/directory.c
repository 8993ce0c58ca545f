/* Directories: one is read from the middle on, one is opened in a thread and left open. */
#include "restore.h"

#include <dirent.h>
#include <unistd.h>

static DIR *before;

static void odd(long n)
{
        if (n == 0) {
                assert(readdir(before));
                assert(readdir(before));
        } else {
                DIR *d = opendir("/");
                assert(d && readdir(d));
        }
}

int main(void)
{
        before = opendir("/etc");
        assert(before && readdir(before));
        restore_run();
        assert(readdir(before));
        return 0;
}
