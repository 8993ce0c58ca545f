/* A thread works for itself before it waits.  Whether that is one block depends on whether a signal was sent. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

int result;
static sem_t s;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
}

static void *waits(void *arg)
{
        static int own;

        own = 1;
        own = 2;
        result = sem_wait(&s) ? 2 : 1;
        return arg;
}

static void *posts(void *arg)
{
        sem_post(&s);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        sem_init(&s, 0, 0);
        pthread_create(&receiver, NULL, waits, NULL);
        pthread_create(&t, NULL, posts, NULL);
        pthread_kill(receiver, SIGUSR1);
        pthread_join(receiver, NULL);
        pthread_join(t, NULL);
        return 0;
}
