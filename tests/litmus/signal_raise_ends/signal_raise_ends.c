/* A handler that its thread starts by itself blocks a signal that ends the process, until it returns. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t s;

static void handler(int sig)
{
        (void)sig;
        sem_wait(&s);
}

static void *raises(void *arg)
{
        raise(SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t;

        sigaddset(&sa.sa_mask, SIGUSR2);
        sigaction(SIGUSR1, &sa, NULL);
        sem_init(&s, 0, 0);
        pthread_create(&t, NULL, raises, NULL);
        pthread_kill(t, SIGUSR2);
        sem_post(&s);
        pthread_join(t, NULL);
        return 0;
}
