/*
 * Two wait, and two signal: one at once, the other one if it sees what a fifth thread has stored.  Whom the first signal
 * wakes is a choice at a state from which the store must also be run first, to reverse the two signals.
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static atomic_int go;

static void *waits(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&turn, &lock);
        pthread_mutex_unlock(&lock);
        return arg;
}

static void *signals(void *arg)
{
        pthread_cond_signal(&turn);
        return arg;
}

static void *stores(void *arg)
{
        go = 1;
        return arg;
}

static void *relays(void *arg)
{
        if (go)
                pthread_cond_signal(&turn);
        return arg;
}

int main(void)
{
        void *(*const run[])(void *) = {waits, waits, signals, stores, relays};
        pthread_t threads[5];

        for (int i = 0; i < 5; i++)
                pthread_create(&threads[i], NULL, run[i], NULL);
        for (int i = 0; i < 5; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
