/* N threads meet at a barrier: the arrivals commute, who is the serial thread is a decision. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 10
#endif

static pthread_barrier_t barrier;
static int serial[N];

static void *meet(void *arg)
{
        serial[(long)arg] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
        return NULL;
}

int main(void)
{
        pthread_t threads[N];
        int sum = 0;

        pthread_barrier_init(&barrier, NULL, N);
        for (long i = 0; i < N; i++)
                pthread_create(&threads[i], NULL, meet, (void *)i);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        for (int i = 0; i < N; i++)
                sum += serial[i];
        assert(sum == 1);
        return 0;
}
