/* Temporary files: written, read back, unlinked, some left open. */
#include "restore.h"

#include <unistd.h>

static void odd(long n)
{
        char name[] = "/tmp/heddle-restore-XXXXXX", c;
        FILE *f = n ? tmpfile() : NULL;
        int fd = n ? fileno(f) : mkstemp(name);

        assert(fd >= 3 && fd < 6);
        assert(write(fd, "abc", 3) == 3 && lseek(fd, 1, SEEK_SET) == 1);
        assert(read(fd, &c, 1) == 1 && c == 'b');
        if (n == 0)
                unlink(name);
}

int main(void)
{
        restore_run();
        return 0;
}
