/* A compare-and-swap that writes races with the plain write, and so does one that only reads: two races. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *plain(void *arg)
{
        pthread_mutex_lock(&m);
        x = 3;
        pthread_mutex_unlock(&m);
        return arg;
}

static void *swaps(void *arg)
{
        if (!pthread_mutex_trylock(&m)) {
                x = 1;
                pthread_mutex_unlock(&m);
        }
        __sync_bool_compare_and_swap(&x, 1, 3);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, plain, NULL);
        pthread_create(&b, NULL, swaps, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
