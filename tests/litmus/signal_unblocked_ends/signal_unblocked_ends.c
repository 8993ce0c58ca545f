/* A thread unblocks a signal that has come and has no handler: that ends the process.  One that is ignored is forgotten. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

int count;
static sigset_t set;
static sem_t sent;

static void handler(int sig)
{
        (void)sig;
        count++;
}

static void *unblocks(void *arg)
{
        sem_wait(&sent);
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        signal(SIGUSR1, handler);
        return arg;
}

static void once(void (*action)(int))
{
        pthread_t t;

        signal(SIGUSR1, action);
        pthread_create(&t, NULL, unblocks, NULL);
        pthread_kill(t, SIGUSR1);
        sem_post(&sent);
        pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
        (void)argv;
        sem_init(&sent, 0, 0);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        once(argc > 1 ? SIG_IGN : SIG_DFL);
        return 0;
}
