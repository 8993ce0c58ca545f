/*
 * Two wait, the first of them first; then comes one signal, and the other one is left.  -DSECOND: fails if the signal
 * can wake the second; without: if it can wake the first.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER, woken = PTHREAD_COND_INITIALIZER;
static int waiting, first_woken;

static void *waits(void *arg)
{
        int me;

        pthread_mutex_lock(&lock);
        me = ++waiting;
        if (me == 2)
                pthread_cond_signal(&woken);
        pthread_cond_wait(&turn, &lock);
        if (!first_woken) {
                first_woken = me;
#ifdef SECOND
                assert(me != 2);
#else
                assert(me != 1);
#endif
        }
        pthread_mutex_unlock(&lock);
        return arg;
}

int main(void)
{
        pthread_t threads[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&threads[i], NULL, waits, NULL);
        pthread_mutex_lock(&lock);
        while (waiting < 2)
                pthread_cond_wait(&woken, &lock);
        pthread_cond_signal(&turn);
        while (!first_woken) {
                pthread_mutex_unlock(&lock);
                pthread_mutex_lock(&lock);
        }
        pthread_cond_signal(&turn);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < 2; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
