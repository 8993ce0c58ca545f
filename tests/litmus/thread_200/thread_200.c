/* 200 threads at once, one lock. */
#include <assert.h>

#include "../litmus.h"

#define N 200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counts[N];
int total;

static void *worker(void *arg)
{
        int *count = arg;

        pthread_mutex_lock(&lock);
        total += ++*count;
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++)
                pthread_create(&threads[i], NULL, worker, &counts[i]);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        for (int i = 0; i < N; i++)
                assert(counts[i] == 1);
        return 0;
}
