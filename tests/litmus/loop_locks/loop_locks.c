/* A thread asks for what nobody will write, each time with a lock held, and another one needs the lock: each round takes the lock and gives it back, and
 * is nothing else that other threads can tell. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long asked[8], other[8];

static void *asks(void *arg)
{
        long value;

        do {
                pthread_mutex_lock(&lock);
                value = asked[0];
                pthread_mutex_unlock(&lock);
        } while (!value);
        return arg;
}

static void *locks(void *arg)
{
        pthread_mutex_lock(&lock);
        other[0] = 1;
        pthread_mutex_unlock(&lock);
        return arg;
}

int main(void)
{
        RUN(asks, locks);
        return 0;
}
