/* What a thread has let go on sends it a signal, whose handler comes before the rest of what the thread does up to its next
 * preemption point, and jumps out of it: other memory of the thread would not make it a point. */
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "../litmus.h"

int x;
static sigjmp_buf before;
static sem_t posted;

static void handler(int sig)
{
        x += 10;
        siglongjmp(before, sig);
}

static void *thread(void *arg)
{
        if (sigsetjmp(before, 1) == 0) {
                signal(SIGUSR1, handler);
                sem_post(&posted);
                x++;
                pause();
        }
        signal(SIGUSR1, SIG_IGN);
        return arg;
}

int main(void)
{
        pthread_t t;

        sem_init(&posted, 0, 0);
        pthread_create(&t, NULL, thread, NULL);
        sem_wait(&posted);
        pthread_kill(t, SIGUSR1);
        pthread_join(t, NULL);
        return 0;
}
