/* A bounded buffer of one slot whose CONSUMERS wait with `if`, and one condition variable for all: a consumer is woken by a
 * consumer and takes from the empty buffer, or no thread is woken. */
#include <assert.h>
#include <pthread.h>

#ifndef CONSUMERS
#define CONSUMERS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *put(void *arg)
{
        for (int i = 0; i < CONSUMERS; i++) {
                pthread_mutex_lock(&lock);
                while (full)
                        pthread_cond_wait(&changed, &lock);
                full = 1;
                pthread_cond_signal(&changed);
                pthread_mutex_unlock(&lock);
        }
        return arg;
}

static void *take(void *arg)
{
        pthread_mutex_lock(&lock);
        if (!full)
                pthread_cond_wait(&changed, &lock);
        assert(full);
        full = 0;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
        return arg;
}

int main(void)
{
        pthread_t t[CONSUMERS + 1];

        for (int i = 0; i <= CONSUMERS; i++)
                pthread_create(&t[i], NULL, i < CONSUMERS ? take : put, NULL);
        for (int i = 0; i <= CONSUMERS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
