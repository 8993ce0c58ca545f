/*
 * N readers and W writers, a read-write lock, one section each.  Readers are not ordered among themselves: with one
 * writer each reader comes before or after it, 2^N.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef W
#define W 1
#endif
#ifndef KIND
#define KIND PTHREAD_RWLOCK_INITIALIZER
#endif

static pthread_rwlock_t lock = KIND;
static int value;

static void *reader(void *arg)
{
        pthread_rwlock_rdlock(&lock);
        assert(value % 2 == 0);
        pthread_rwlock_unlock(&lock);
        return arg;
}

static void *writer(void *arg)
{
        pthread_rwlock_wrlock(&lock);
        value++;
        value++;
        pthread_rwlock_unlock(&lock);
        return arg;
}

int main(void)
{
        pthread_t threads[N + W];

        for (int i = 0; i < N + W; i++)
                pthread_create(&threads[i], NULL, i < N ? reader : writer, NULL);
        for (int i = 0; i < N + W; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
