/*
 * Two racing increments, and SIGNAL sent to the process itself: always, or with LOST only when an increment was lost.
 * Nothing in the process can report a SIGKILL or a SIGSTOP.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifndef SIGNAL
#define SIGNAL SIGKILL
#endif
#ifndef LOST
#define LOST 0
#endif

int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, worker, NULL);
        pthread_create(&b, NULL, worker, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        if (!LOST || x == 1)
                kill(getpid(), SIGNAL);
        return 0;
}
