/* A thread ends with the lock in its hands. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *forgetful(void *arg)
{
        pthread_mutex_lock(&lock);
        return NULL;
}

static void *victim(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(forgetful, victim);
        return 0;
}
