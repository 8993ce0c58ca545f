/*
 * READERS readers and WRITERS writers, served in the order of their coming: each passes a turnstile, and readers are
 * counted, the first taking and the last giving back the resource.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif

static sem_t turnstile, resource;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int readers, a, b;

static void *reader(void *arg)
{
        sem_wait(&turnstile);
        pthread_mutex_lock(&m);
        if (readers++ == 0)
                sem_wait(&resource);
        pthread_mutex_unlock(&m);
        sem_post(&turnstile);
        assert(a == b);
        pthread_mutex_lock(&m);
        if (--readers == 0)
                sem_post(&resource);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *writer(void *arg)
{
        sem_wait(&turnstile);
        sem_wait(&resource);
        sem_post(&turnstile);
        a++;
        b++;
        sem_post(&resource);
        return arg;
}

int main(void)
{
        pthread_t t[READERS + WRITERS];

        sem_init(&turnstile, 0, 1);
        sem_init(&resource, 0, 1);
        for (int i = 0; i < READERS + WRITERS; i++)
                pthread_create(&t[i], NULL, i < READERS ? reader : writer, NULL);
        for (int i = 0; i < READERS + WRITERS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
