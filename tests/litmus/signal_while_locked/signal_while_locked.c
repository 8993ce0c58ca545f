/* A thread gets a signal while it waits for a lock that the sender holds, and sets what the thread waits for later. */
#include <sched.h>
#include <signal.h>

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ran;
static volatile int g;
int seen, before;

static void handler(int sig)
{
        (void)sig;
        __atomic_store_n(&ran, 1, __ATOMIC_SEQ_CST);
        g = g * 2 + 1;
}

static void *thread(void *arg)
{
        pthread_mutex_lock(&m);
        g = 1;
        g = g + 1;
        pthread_mutex_unlock(&m);
        while (!__atomic_load_n(&ran, __ATOMIC_SEQ_CST))
                sched_yield();
        seen = g;
        return arg;
}

int main(void)
{
        pthread_t t;

        signal(SIGUSR1, handler);
        pthread_create(&t, NULL, thread, NULL);
        pthread_mutex_lock(&m);
        before = g;
        pthread_kill(t, SIGUSR1);
        pthread_mutex_unlock(&m);
        pthread_join(t, NULL);
        return 0;
}
