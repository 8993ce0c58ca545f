/* What a thread does first is a block: a handler can come before it, in it, and after it. */
#include <pthread.h>
#include <signal.h>

int seen;
static int x;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        seen = 10 + x;
}

static void *receives(void *arg)
{
        x = 1;
        x = 2;
        return arg;
}

static void *sends(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        return arg;
}

int main(void)
{
        pthread_t t;

        signal(SIGUSR1, handler);
        pthread_create(&receiver, NULL, receives, NULL);
        pthread_create(&t, NULL, sends, NULL);
        pthread_join(t, NULL);
        pthread_join(receiver, NULL);
        return 0;
}
