/* A read that does not wait: before or after the write. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd[2];
int result;

static void *writer(void *arg)
{
        write(fd[1], "x", 1);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        char c;

        pipe2(fd, O_NONBLOCK);
        pthread_create(&thread, NULL, writer, NULL);
        result = read(fd[0], &c, 1) == 1 ? 1 : errno == EAGAIN ? 2 : 3;
        pthread_join(thread, NULL);
        return 0;
}
