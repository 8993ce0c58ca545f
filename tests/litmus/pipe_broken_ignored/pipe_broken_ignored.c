/* A write after the reader has gone, SIGPIPE ignored: an error. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
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
        signal(SIGPIPE, SIG_IGN);
        pthread_create(&thread, NULL, reader, NULL);
        result = write(fd[1], "x", 1) == 1 ? 1 : errno;
        pthread_join(thread, NULL);
        return 0;
}
