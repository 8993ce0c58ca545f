/* A handler takes a lock that its own thread may hold. */
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
}

static void *send(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        sigset_t set;
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        receiver = pthread_self();
        pthread_create(&t, NULL, send, NULL);
#ifdef BLOCK
        pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
#ifdef BLOCK
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#endif
        pthread_join(t, NULL);
        return 0;
}
