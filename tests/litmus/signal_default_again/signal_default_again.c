/* The default action comes back while a signal is on its way: it ends the process, unless the handler was faster. */
#include <pthread.h>
#include <signal.h>

int count;

static void handler(int sig)
{
        (void)sig;
        count++;
}

static void *receives(void *arg)
{
        return arg;
}

int main(void)
{
        pthread_t t;

        signal(SIGUSR1, handler);
        pthread_create(&t, NULL, receives, NULL);
        pthread_kill(t, SIGUSR1);
        signal(SIGUSR1, SIG_DFL);
        pthread_join(t, NULL);
        return 0;
}
