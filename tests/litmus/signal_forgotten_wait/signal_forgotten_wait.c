/* The receiver waits while another thread has the signal ignored: nothing shows that the handler could have run before that. */
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(int sig)
{
        (void)sig;
}

static void *ignores(void *arg)
{
        pthread_mutex_lock(&m);
        signal(SIGUSR1, SIG_IGN);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *receives(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t[2];

        sigaction(SIGUSR1, &sa, NULL);
        pthread_create(&t[0], NULL, ignores, NULL);
        pthread_create(&t[1], NULL, receives, NULL);
        pthread_kill(t[1], SIGUSR1);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
