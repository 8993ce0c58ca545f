/* A signal wakes the waiter with the highest priority: of two that wait, the second thread, whenever it has come. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t waits = PTHREAD_COND_INITIALIZER, woken = PTHREAD_COND_INITIALIZER;
static int waiting, late, first;

static void *wait_for_it(void *arg)
{
        int rank = (int)(long)arg;
        struct sched_param p = {.sched_priority = rank};

        pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
        pthread_mutex_lock(&m);
        if (!late) {
                waiting++;
                pthread_cond_wait(&waits, &m);
                if (!first)
                        first = rank;
                pthread_cond_signal(&woken);
        }
        pthread_mutex_unlock(&m);
        return NULL;
}

int main(void)
{
        pthread_t t[2];
        int both;

        for (long i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, wait_for_it, (void *)(i + 1));
        pthread_mutex_lock(&m);
        late = 1;
        both = waiting == 2;
        pthread_cond_signal(&waits);
        while (waiting && !first)
                pthread_cond_wait(&woken, &m);
        pthread_cond_broadcast(&waits);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(!both || first == 2);
        return 0;
}
