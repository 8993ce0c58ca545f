/* A join under a lock that the joined thread wants. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_mutex_lock(&lock);
        pthread_join(thread, NULL);
        pthread_mutex_unlock(&lock);
        return 0;
}
