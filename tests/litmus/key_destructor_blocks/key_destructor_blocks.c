/* A destructor of a key that takes a lock and waits; one that sets its value again is called four times. */
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t waits, again;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t sem;
int rounds, locked;

static void wait_in_destructor(void *arg)
{
        sem_wait(&sem);
        pthread_mutex_lock(&lock);
        locked++;
        pthread_mutex_unlock(&lock);
}

static void set_again(void *arg)
{
        pthread_mutex_lock(&lock);
        rounds++;
        pthread_mutex_unlock(&lock);
        pthread_setspecific(again, arg);
}

static void *worker(void *arg)
{
        pthread_setspecific(waits, &rounds);
        pthread_setspecific(again, &rounds);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        sem_init(&sem, 0, 0);
        pthread_key_create(&waits, wait_in_destructor);
        pthread_key_create(&again, set_again);
        pthread_create(&thread, NULL, worker, NULL);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        sem_post(&sem);
        pthread_join(thread, NULL);
        return 0;
}
