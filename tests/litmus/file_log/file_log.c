/* Threads write a log that nobody reads: the order of the writes is not explored. */
#include <fcntl.h>
#include <unistd.h>

#include "../litmus.h"

static int fd;

static void *a(void *arg)
{
        write(fd, "a", 1);
        write(fd, "a", 1);
        return NULL;
}

int main(void)
{
        fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0600);
        RUN(a, a);
        close(fd);
        return 0;
}
