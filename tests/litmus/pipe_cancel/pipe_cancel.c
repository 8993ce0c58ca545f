/* A thread that waits at a pipe is cancelled, or reads first. */
#include <pthread.h>
#include <unistd.h>

static int fd[2];
int got, cancelled;

static void *reader(void *arg)
{
        char c;

        got = (int)read(fd[0], &c, 1);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        void *value;

        pipe(fd);
        pthread_create(&thread, NULL, reader, NULL);
        pthread_cancel(thread);
        write(fd[1], "x", 1);
        pthread_join(thread, &value);
        cancelled = value == PTHREAD_CANCELED;
        return 0;
}
