/*
 * Two threads wait; one of them is cancelled, and one signal is sent.  The cancelled one has its mutex back when its
 * handler runs, and does not keep the signal from the other, wherever the two meet.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, tokens;
int cancelled;

static void unlock(void *arg)
{
        waiting--; /* the mutex is held */
        assert(pthread_mutex_unlock(&lock) == 0);
}

static void *waiter(void *arg)
{
        pthread_mutex_lock(&lock);
        waiting++;
        pthread_cleanup_push(unlock, NULL);
        while (!tokens)
                pthread_cond_wait(&cond, &lock);
        tokens--;
        pthread_cleanup_pop(1);
        return NULL;
}

int main(void)
{
        pthread_t a, b;
        void *value;

        pthread_create(&a, NULL, waiter, NULL);
        pthread_create(&b, NULL, waiter, NULL);
        pthread_cancel(a);
        pthread_mutex_lock(&lock);
        tokens++;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        pthread_join(a, &value);
        cancelled = value == PTHREAD_CANCELED;
        if (!cancelled) { /* it took the token */
                pthread_mutex_lock(&lock);
                tokens++;
                pthread_cond_signal(&cond);
                pthread_mutex_unlock(&lock);
        }
        pthread_join(b, NULL);
        assert(waiting == 0);
        return 0;
}
