/* A handler comes between two accesses of the thread that it interrupts, also where no other thread could: the bits of `seen`
 * say which values x had at the end when the handler ran. */
#include <signal.h>

#include "../litmus.h"

int seen;
static volatile int x, ran;

static void handler(int sig)
{
        (void)sig;
        x += 10;
        ran = 1;
}

static void *thread(void *arg)
{
        x++;
        x++;
        return arg;
}

int main(void)
{
        pthread_t t;

        signal(SIGUSR1, handler);
        pthread_create(&t, NULL, thread, NULL);
        pthread_kill(t, SIGUSR1);
        pthread_join(t, NULL);
        seen = ran ? x : -x;
        return 0;
}
