/* heddle_wakeup(): two wait, the one of higher priority is woken first, though it came first or second. */
#define _GNU_SOURCE
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, both = PTHREAD_COND_INITIALIZER;
static int waiting, first;

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        if (++waiting == 2)
                pthread_cond_signal(&both);
        pthread_cond_wait(&c, &m);
        if (!first)
                first = (int)(long)arg;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return NULL;
}

int main(void)
{
        pthread_t t[2];
        pthread_attr_t attr;
        struct sched_param param;

        heddle_wakeup(&c, "priority");
        heddle_wakeup(&m, "arbitrary");
        for (long i = 0; i < 2; i++) {
                pthread_attr_init(&attr);
                pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
                pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
                param.sched_priority = i ? 7 : 3;
                pthread_attr_setschedparam(&attr, &param);
                pthread_create(&t[i], &attr, waits, (void *)(i + 1));
        }
        pthread_mutex_lock(&m);
        while (waiting < 2)
                pthread_cond_wait(&both, &m);
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(first == 2);
        return 0;
}
