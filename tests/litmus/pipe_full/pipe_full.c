/* A writer of more than a pipe holds waits for the reader; the bytes come in order. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define SIZE 100000

static int fd[2];
static char out[SIZE], in[SIZE];

static void *writer(void *arg)
{
        assert(write(fd[1], out, SIZE) == SIZE);
        close(fd[1]);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        size_t n = 0;
        ssize_t r;

        for (int i = 0; i < SIZE; i++)
                out[i] = (char)(i * 7);
        assert(pipe(fd) == 0);
        pthread_create(&thread, NULL, writer, NULL);
        while ((r = read(fd[0], in + n, SIZE - n)) > 0)
                n += (size_t)r;
        assert(n == SIZE && memcmp(in, out, SIZE) == 0);
        pthread_join(thread, NULL);
        return 0;
}
