/* A recursive mutex may be locked again by its owner, and is free after as many unlocks. */
#include "../litmus.h"

static pthread_mutex_t lock;
int x;

static void *worker(void *arg)
{
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        pthread_mutexattr_t attr;

        pthread_mutexattr_init(&attr);
        pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(&lock, &attr);
        RUN(worker, worker);
        return 0;
}
