/* Two locks in two orders: no value tells the deadlock apart. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg)
{
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        return arg;
}

static void *two(void *arg)
{
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}
