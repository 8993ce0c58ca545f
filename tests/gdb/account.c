/* Two locked parts of one update: another thread comes between them. */
#include <assert.h>
#include <pthread.h>

static int balance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int get(void)
{
        return balance;
}

static void *deposit(void *arg)
{
        pthread_mutex_lock(&m);
        int b = get();
        pthread_mutex_unlock(&m);
        b += 10;
        pthread_mutex_lock(&m);
        balance = b;
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t first, second;

        pthread_create(&first, NULL, deposit, NULL);
        pthread_create(&second, NULL, deposit, NULL);
        pthread_join(first, NULL);
        pthread_join(second, NULL);
        assert(balance == 20);
        return 0;
}
