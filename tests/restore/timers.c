/* A timer with a handler, armed before or after the first thread is there. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void ring(int sig) { rung = sig; }

static void *work(void *arg) { return arg; }

int main(void)
{
        pthread_t t;

        signal(SIGALRM, ring);
#ifdef EARLY
        alarm(1);
#endif
        pthread_create(&t, NULL, work, NULL);
        pthread_join(t, NULL);
        alarm(1);
        while (!rung)
                sleep(1);
        return 0;
}
