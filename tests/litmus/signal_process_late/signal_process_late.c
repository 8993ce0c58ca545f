/* A signal to the process comes after the last operation of the only thread that does not block it, or before: it may go to that thread. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int seen, late;
static sigset_t set;

static void handler(int sig)
{
        (void)sig;
        seen = 1 + late;
}

static void *receives(void *arg)
{
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        late = 1;
        return arg;
}

static void *sends(void *arg)
{
        kill(getpid(), SIGUSR1);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        signal(SIGUSR1, handler);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        pthread_create(&a, NULL, receives, NULL);
        pthread_create(&b, NULL, sends, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
