/* A deadlock: whether the waiter has been woken and waits for the mutex, or waits for the signal, is another class. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;

static void *waits(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *keeps(void *arg)
{
        pthread_mutex_lock(&m);
        sem_wait(&s);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *signals(void *arg)
{
        pthread_cond_signal(&c);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, waits, NULL);
        pthread_create(&t[1], NULL, keeps, NULL);
        pthread_create(&t[2], NULL, signals, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
