/* A write after the reader has gone: SIGPIPE. */
#include <pthread.h>
#include <unistd.h>

static int fd[2];
int result;

static void *reader(void *arg)
{
        close(fd[0]);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pipe(fd);
        pthread_create(&thread, NULL, reader, NULL);
        result = write(fd[1], "x", 1) == 1 ? 1 : 2;
        pthread_join(thread, NULL);
        return 0;
}
