/*
 * A version is published before the data that it is the version of, each under the lock.  A reader takes both in one critical section.
 */
#include <assert.h>
#include <pthread.h>

#define VERSIONS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int version, data;

static void set(int *what, int value)
{
        pthread_mutex_lock(&mutex);
        *what = value;
        pthread_mutex_unlock(&mutex);
}

static void *writer(void *arg)
{
        for (int i = 1; i <= VERSIONS; i++) {
                set(&version, i);
                set(&data, i);
        }
        return arg;
}

static void *reader(void *arg)
{
        int v, d;

        pthread_mutex_lock(&mutex);
        v = version;
        d = data;
        pthread_mutex_unlock(&mutex);
        assert(v != VERSIONS || d == VERSIONS);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, reader, NULL);
        pthread_create(&t[1], NULL, writer, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
