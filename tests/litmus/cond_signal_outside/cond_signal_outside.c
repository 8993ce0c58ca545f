/* The condition changes under the lock; the signal is sent without it. */
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
        pthread_mutex_unlock(&lock);
        pthread_cond_signal(&cond);
        return NULL;
}

int main(void)
{
        RUN(waiter, signaller);
        return 0;
}
