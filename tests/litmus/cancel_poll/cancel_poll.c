/* A thread that waits in poll is cancelled, and then a byte comes: its end may come before that. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int pipes[2];
static volatile int x;
int seen;

static void ends(void *arg)
{
        seen = x;
        (void)arg;
}

static void *poller(void *arg)
{
        pthread_cleanup_push(ends, NULL);
        for (;;)
                poll(&(struct pollfd){.fd = pipes[0], .events = POLLOUT}, 1, -1); /* never */
        pthread_cleanup_pop(0);
        return arg;
}

static void *writer(void *arg)
{
        write(pipes[1], "", 1);
        x = 1;
        return arg;
}

int main(void)
{
        pthread_t threads[2];

        if (pipe(pipes))
                return 1;
        pthread_create(&threads[0], NULL, poller, NULL);
        pthread_cancel(threads[0]);
        pthread_create(&threads[1], NULL, writer, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
