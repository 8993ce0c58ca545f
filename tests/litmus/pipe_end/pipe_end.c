/* The reader sees the end when the last writer, a duplicate, is closed by another thread; and not before. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int fd[2], copy;
int got;

static void *writer(void *arg)
{
        close(fd[1]);
        assert(write(copy, "xy", 2) == 2);
        close(copy);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        char buf[8];
        ssize_t n;

        assert(pipe(fd) == 0);
        copy = dup(fd[1]);
        pthread_create(&thread, NULL, writer, NULL);
        while ((n = read(fd[0], buf, sizeof buf)) > 0)
                got += (int)n;
        pthread_join(thread, NULL);
        return 0;
}
