/* A signal is forgotten while its receiver, which works for itself, is at the point where a handler could have run. */
#include <pthread.h>
#include <signal.h>

int count;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        count++;
}

static void *sends(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        pthread_kill(receiver, SIGUSR2);
        return arg;
}

static void *ignores(void *arg)
{
        signal(SIGUSR1, SIG_IGN);
        return arg;
}

int main(void)
{
        static int own;
        pthread_t a, b;

        receiver = pthread_self();
        signal(SIGUSR1, handler);
        signal(SIGUSR2, handler);
        pthread_create(&a, NULL, sends, NULL);
        pthread_create(&b, NULL, ignores, NULL);
        own = 1;
        pthread_join(b, NULL);
        pthread_join(a, NULL);
        return 0;
}
