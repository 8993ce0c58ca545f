/* Two readers ask for the write lock: each waits for itself, so nothing is won by another order of theirs. */
#include "../litmus.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrades(void *arg)
{
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_wrlock(&lock);
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_unlock(&lock);
        return arg;
}

int main(void)
{
        RUN(upgrades, upgrades);
        return 0;
}
