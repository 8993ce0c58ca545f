/* Two writers and a reader until the end: every order of the two bytes, no byte is lost, and the end is seen. */
#include <assert.h>
#include <unistd.h>

#include "../litmus.h"

static int fd[2];
int first, second;

static void *writer_a(void *arg)
{
        assert(write(fd[1], "a", 1) == 1);
        return NULL;
}

static void *writer_b(void *arg)
{
        assert(write(fd[1], "b", 1) == 1);
        return NULL;
}

int main(void)
{
        pthread_t a, b;
        char c;

        assert(pipe(fd) == 0);
        pthread_create(&a, NULL, writer_a, NULL);
        pthread_create(&b, NULL, writer_b, NULL);
        assert(read(fd[0], &c, 1) == 1);
        first = c;
        assert(read(fd[0], &c, 1) == 1);
        second = c;
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        close(fd[1]);
        assert(read(fd[0], &c, 1) == 0);
        return 0;
}
