/* A large block, filled under a mutex: all of it waits in the buffer until the mutex is released. */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifndef SIZE
#define SIZE 1024
#endif

static char block[SIZE];
static int generation;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg)
{
        pthread_mutex_lock(&mutex);
        generation++;
        memset(block, generation, SIZE);
        pthread_mutex_unlock(&mutex);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, fill, NULL);
        pthread_mutex_lock(&mutex);
        for (int i = 0; i < SIZE; i += 64)
                assert(block[i] == generation);
        pthread_mutex_unlock(&mutex);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(block[SIZE - 1] == 2);
        return 0;
}
