/* Two waiters may both sleep when the only signal comes. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *arg)
{
        pthread_mutex_lock(&lock);
        while (!go)
                pthread_cond_wait(&cond, &lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

static void *signaller(void *arg)
{
        pthread_mutex_lock(&lock);
        go = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(waiter, waiter, signaller);
        return 0;
}
