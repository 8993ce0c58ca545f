/* A wait without a condition: a signal that comes too early is lost. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&cond, &lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

static void *signaller(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(waiter, signaller);
        return 0;
}
