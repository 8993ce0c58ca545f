/* A signal to a thread that may have been joined has no effect then; before it has. */
#include <pthread.h>
#include <signal.h>

int count;
static int x;
static pthread_t receiver;

static void handler(int sig)
{
        (void)sig;
        count++;
}

static void *computes(void *arg)
{
        __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
        return arg;
}

static void *sends(void *arg)
{
        pthread_kill(receiver, SIGUSR1);
        return arg;
}

int main(void)
{
        struct sigaction sa = {.sa_handler = handler};
        pthread_t t;

        sigaction(SIGUSR1, &sa, NULL);
        pthread_create(&receiver, NULL, computes, NULL);
        pthread_create(&t, NULL, sends, NULL);
        pthread_join(receiver, NULL);
        pthread_join(t, NULL);
        return 0;
}
