/* 200 threads at once, each with memory of its own. */
#include <assert.h>

#include "../litmus.h"

#define N 200

static int counts[N];

static void *worker(void *arg)
{
        int *count = arg;

        ++*count;
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
