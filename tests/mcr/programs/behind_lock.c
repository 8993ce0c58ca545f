/* A data race that the locks order in one of the two orders: no value tells them apart. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *one(void *arg)
{
        x = 1;
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *two(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        x = 2;
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
