/* Airline(N): tickets are sold under a lock; the main thread looks whether sales have stopped. */
#include <pthread.h>

#define CAPACITY (N - (N / 10 > 1 ? N / 10 : 1))

static int sold, stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *sell(void *arg)
{
        pthread_mutex_lock(&m);
        if (sold >= CAPACITY)
                stop = 1;
        else
                sold++;
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t t[N];
        int n = 0;

        for (int i = 0; i < N; i++)
                if (!stop)
                        pthread_create(&t[n++], 0, sell, 0);
        for (int i = 0; i < n; i++)
                pthread_join(t[i], 0);
        return 0;
}
