/* A lock is released between a check and what it is for; counters are in the same lines. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 1;
static long calls, bytes;
#define COUNT(n) (calls++, bytes += (n))

static void *pay(void *unused)
{
        pthread_mutex_lock(&lock);
        int have = balance; COUNT(have);
        pthread_mutex_unlock(&lock);
        if (have > 0) {
                pthread_mutex_lock(&lock);
                balance -= 1; COUNT(8);
                assert(balance >= 0);
                pthread_mutex_unlock(&lock);
        }
        return unused;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, pay, NULL);
        pay(NULL);
        pthread_join(t, NULL);
        return 0;
}
