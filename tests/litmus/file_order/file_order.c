/* Two threads write one file by descriptors of their own: who is last can be read. */
#include <fcntl.h>
#include <unistd.h>

#include "../litmus.h"

int r;

static void put(const char *text)
{
        int fd = open("text", O_CREAT | O_WRONLY, 0600);

        write(fd, text, 1);
        close(fd);
}

static void *a(void *arg)
{
        put("a");
        return NULL;
}

static void *b(void *arg)
{
        put("b");
        return NULL;
}

int main(void)
{
        char c = 0;
        int fd;

        RUN(a, b);
        fd = open("text", O_RDONLY);
        read(fd, &c, 1);
        close(fd);
        r = c;
        return 0;
}
