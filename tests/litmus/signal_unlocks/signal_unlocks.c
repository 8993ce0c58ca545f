/* A block sends a signal and gives back the lock that the receiver waits for: before the block the receiver could not continue. */
#include <pthread.h>
#include <signal.h>

int x;
static int order;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int sig)
{
        (void)sig;
        order = order * 10 + x;
}

static void *waits(void *arg)
{
        pthread_mutex_lock(&lock);
        x += 1;
        pthread_mutex_unlock(&lock);
        return arg;
}

int main(void)
{
        pthread_t t;

        signal(SIGUSR1, handler);
        pthread_create(&t, NULL, waits, NULL);
        pthread_mutex_lock(&lock);
        x += 2;
        pthread_kill(t, SIGUSR1);
        x += 4;
        pthread_mutex_unlock(&lock);
        pthread_join(t, NULL);
        x = x * 10 + order;
        return 0;
}
