/* A lock-order inversion in the middle of a long execution, at places that random schedules rarely bring together. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, counts = PTHREAD_MUTEX_INITIALIZER;
static int n, both;

static void count(int times)
{
        for (int i = 0; i < times; i++) {
                pthread_mutex_lock(&counts);
                n++;
                pthread_mutex_unlock(&counts);
        }
}

static void use(pthread_mutex_t *first, pthread_mutex_t *second)
{
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        both++;
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
}

static void *one(void *arg)
{
        count(200);
        use(&a, &b);
        count(200);
        return arg;
}

static void *two(void *arg)
{
        count(50);
        use(&b, &a);
        count(350);
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, NULL, one, NULL);
        pthread_create(&u, NULL, two, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
