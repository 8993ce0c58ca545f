/* A signal that another thread sends arrives between any two accesses of the receiver, or not at all before it returns. */
#include <pthread.h>
#include <signal.h>

int x, seen = -1;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        seen = x;
}

static void *send(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        receiver = pthread_self();
        pthread_create(&t, NULL, send, NULL);
        x = 1;
        x = 2;
        pthread_join(t, NULL);
        return 0;
}
