/* A handler that its thread starts by itself blocks another signal: that comes before it or after it. */
#include <pthread.h>
#include <signal.h>

int order;

static void first(int sig)
{
        (void)sig;
        order = order * 10 + 1;
        order = order * 10 + 2;
}

static void second(int sig)
{
        (void)sig;
        order = order * 10 + 3;
}

static void *raises(void *arg)
{
        raise(SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = first};
        pthread_t t;

        sigaddset(&sa.sa_mask, SIGUSR2);
        sigaction(SIGUSR1, &sa, NULL);
        signal(SIGUSR2, second);
        pthread_create(&t, NULL, raises, NULL);
        pthread_kill(t, SIGUSR2);
        pthread_join(t, NULL);
        return 0;
}
