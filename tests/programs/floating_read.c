/*
 * N writers of distinct values.  Main reads once: before it joins them, anywhere between them, (N+1)! behaviours; or, with
 * LAST, after: N!.  With LEAVE the writers end by pthread_exit, which unwinds their stacks: that is not an event.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef LAST
#define LAST 0
#endif
#ifndef LEAVE
#define LEAVE 0
#endif

static atomic_int x;
static int values[N];

static void *writer(void *arg)
{
        atomic_store(&x, *(int *)arg);
        if (LEAVE)
                pthread_exit(arg);
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        for (int i = 0; i < N; i++) {
                values[i] = i + 1;
                pthread_create(&threads[i], NULL, writer, &values[i]);
        }
        if (!LAST)
                (void)atomic_load(&x);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        if (LAST)
                (void)atomic_load(&x);
        return 0;
}
