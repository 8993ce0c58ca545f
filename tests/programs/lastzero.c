/*
 * N writers, the j-th of which stores a[j-1] + 1 in a[j], and a reader that looks for the last zero of a[0..N] from
 * the top (a[0] stays zero): (N+3) * 2^(N-2) behaviours.
 *
 * READER_LAST creates the reader after the writers instead of before them.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif
#ifndef READER_LAST
#define READER_LAST 0
#endif

static atomic_int a[N + 1];

static void *reader(void *arg)
{
        int i = N;

        (void)arg;
        while (atomic_load(&a[i]) != 0)
                i--;
        assert(i >= 0);
        return NULL;
}

static void *writer(void *arg)
{
        int j = (int)(intptr_t)arg;

        atomic_store(&a[j], atomic_load(&a[j - 1]) + 1);
        return NULL;
}

int main(void)
{
        pthread_t threads[N + 1];

        if (!READER_LAST)
                pthread_create(&threads[0], NULL, reader, NULL);
        for (int j = 1; j <= N; j++)
                pthread_create(&threads[j], NULL, writer, (void *)(intptr_t)j);
        if (READER_LAST)
                pthread_create(&threads[0], NULL, reader, NULL);
        for (int j = 0; j <= N; j++)
                pthread_join(threads[j], NULL);
        return 0;
}
