/* Account: two deposits without the lock, two withdrawals with it; the main thread reads the amount at the end. */
#include <pthread.h>

static int amount = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg)
{
        amount += 100;
        return arg;
}

static void *withdraw(void *arg)
{
        pthread_mutex_lock(&m);
        amount -= 100;
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t t[4];
        int end;

        for (int i = 0; i < 4; i++)
                pthread_create(&t[i], 0, i % 2 ? withdraw : deposit, 0);
        for (int i = 0; i < 4; i++)
                pthread_join(t[i], 0);
        end = amount;
        (void)end;
        return 0;
}
