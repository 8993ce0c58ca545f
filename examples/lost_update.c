/*
 * Two threads add to an account without a lock.  `balance += n` is a read and a write, and when both threads read
 * before either writes, one deposit is lost.
 *
 *     heddle check examples/lost_update.c
 */
#include <assert.h>
#include <pthread.h>

static int balance;

static void *deposit(void *amount)
{
        balance += *(int *)amount;
        return NULL;
}

int main(void)
{
        pthread_t a, b;
        int ten = 10, twenty = 20;

        pthread_create(&a, NULL, deposit, &ten);
        pthread_create(&b, NULL, deposit, &twenty);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(balance == 30);
        return 0;
}
