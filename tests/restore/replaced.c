/* Standard descriptors are closed and replaced, and everything else is closed. */
#include "restore.h"

#include <fcntl.h>
#include <unistd.h>

static int file;

static void odd(long n)
{
        char c;
        int fd;

        if (n == 0) {
                assert(read(file, &c, 1) == 1 && c == 'r');
                fd = open("/etc/passwd", O_RDONLY);
                assert(fd > 3 && dup2(fd, 1) == 1 && close(fd) == 0);
        } else {
                assert(close(0) == 0);
                assert(fclose(stderr) == 0);
        }
}

int main(void)
{
        file = open("/etc/passwd", O_RDONLY);
        assert(file == 3);
        restore_run();
        closefrom(1);
        for (int fd = 0; fd < 2000; fd++)
                close(fd);
        return 0;
}
