/* Two threads may be inside handlers of one signal at once: each has a mask of its own. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

int x;

static void handler(int sig)
{
        int v = x;

        x = v + 1;
}

static void *thread(void *arg)
{
        raise(SIGUSR1);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        signal(SIGUSR1, handler);
        pthread_create(&a, NULL, thread, NULL);
        pthread_create(&b, NULL, thread, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(x == 2);
        return 0;
}
