/* A thread ends while another uses a variable on its stack, or before.  Only the order of the end and the use says which. */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int *shared;
static sem_t lent, started;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *lends(void *arg)
{
        int x = 0;

        shared = &x;
        sem_post(&lent);
        sem_post(&started);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        return arg;
}

static void *uses(void *arg)
{
        sem_wait(&lent);
        *shared = 2;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        sem_init(&lent, 0, 0);
        sem_init(&started, 0, 0);
        pthread_mutex_lock(&lock);
        pthread_create(&a, NULL, uses, NULL);
        pthread_create(&b, NULL, lends, NULL);
        sem_wait(&started);
        pthread_mutex_unlock(&lock);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
