/* A read that waits keeps the pipe when another thread closes the number; one that comes later fails. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int got, put;
static int end[2];

static void *closes(void *arg)
{
        close(end[0]);
        return arg;
}

static void *reads(void *arg)
{
        char c;

        got = (int)read(end[0], &c, 1);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        signal(SIGPIPE, SIG_IGN);
        if (pipe(end))
                return 1;
        pthread_create(&a, NULL, closes, NULL);
        pthread_create(&b, NULL, reads, NULL);
        pthread_join(a, NULL);
        put = (int)write(end[1], "x", 1);
        pthread_join(b, NULL);
        return 0;
}
