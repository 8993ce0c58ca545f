/* A loop that touches nothing, with all signals blocked: no timer can end it from inside. */
#include <pthread.h>
#include <signal.h>

static void *worker(void *arg)
{
        sigset_t all;

        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (;;)
                __asm__ volatile("");
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_join(thread, NULL);
        return 0;
}
