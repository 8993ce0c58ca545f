/* Two locks in opposite orders: both threads hold one when they ask for the other. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void *other(void *arg)
{
        pthread_mutex_lock(&b);
        if (arg)
                usleep(20000);
        pthread_mutex_lock(&a);
        steps++;
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, other, &t);
        pthread_mutex_lock(&a);
        usleep(20000);
        pthread_mutex_lock(&b);
        steps++;
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        pthread_join(t, NULL);
        return steps != 2;
}
