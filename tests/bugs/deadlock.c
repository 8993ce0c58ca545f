/* Two locks in two orders. */
#include "bugs.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        return arg;
}

static void *second(void *arg)
{
#ifdef FIXED
        return first(arg);
#else
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        return arg;
#endif
}

int main(void)
{
        RUN(first, second);
        return 0;
}
