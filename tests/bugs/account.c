/* A withdrawal checks the balance in one critical section and takes the money in another: an atomicity violation. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int read_balance(void)
{
        pthread_mutex_lock(&m);
        int b = balance;
        pthread_mutex_unlock(&m);
        return b;
}

static void *withdraw(void *arg)
{
#ifdef FIXED
        pthread_mutex_lock(&m);
        if (balance >= 60)
                balance -= 60;
        pthread_mutex_unlock(&m);
        read_balance();
#else
        if (read_balance() >= 60) {
                pthread_mutex_lock(&m);
                balance -= 60;
                pthread_mutex_unlock(&m);
        }
#endif
        return arg;
}

int main(void)
{
        RUN(withdraw, withdraw);
        assert(balance >= 0);
        return 0;
}
