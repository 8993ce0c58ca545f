/* Two failures that have nothing to do with each other: a lost update, and locks in the wrong order. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *first(void *arg)
{
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        n++;
        return arg;
}

static void *second(void *arg)
{
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        n++;
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, NULL, first, NULL);
        pthread_create(&u, NULL, second, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        assert(n == 2);
        return 0;
}
