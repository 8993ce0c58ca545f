/* Two locks taken in opposite orders. */
#include "../litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *arg)
{
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        return NULL;
}

static void *right(void *arg)
{
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
