/* Within --depth the deadlock has a path on which no thread waits for the mutex, and others with one more event. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *wakes(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, waits, 0);
        pthread_create(&b, 0, wakes, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
