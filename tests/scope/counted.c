/* Not instrumented: a loop that counts its rounds in memory, and stops.  ENDLESS: it does not. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
int tries;

static void *holds(void *arg)
{
        pthread_mutex_lock(&m);
        sem_wait(&done);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *attempts(void *arg)
{
#ifdef ENDLESS
        while (pthread_mutex_trylock(&m))
                ;
        pthread_mutex_unlock(&m);
#else
        for (tries = 0; tries < 100 && pthread_mutex_trylock(&m);)
                tries = tries + 1;
        if (tries < 100)
                pthread_mutex_unlock(&m);
#endif
        sem_post(&done);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        sem_init(&done, 0, 0);
        pthread_create(&t[0], NULL, holds, NULL);
        pthread_create(&t[1], NULL, attempts, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
