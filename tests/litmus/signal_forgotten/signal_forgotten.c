/* A signal that is on its way when its thread, or with ELSEWHERE its sender, has it ignored: the handler runs before that, or never. */
#include <pthread.h>
#include <signal.h>

int count, x;

static void handler(int sig)
{
        (void)sig;
        count++;
}

static void *receives(void *arg)
{
        x = 1;
#ifndef ELSEWHERE
        signal(SIGUSR1, SIG_IGN);
#endif
        x = 2;
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        pthread_create(&t, NULL, receives, NULL);
        pthread_kill(t, SIGUSR1);
#ifdef ELSEWHERE
        signal(SIGUSR1, SIG_IGN);
#endif
        pthread_join(t, NULL);
        return 0;
}
