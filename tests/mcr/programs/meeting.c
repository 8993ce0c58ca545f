/* N threads meet at a barrier: any of them is the serial one. */
#include <pthread.h>

static pthread_barrier_t b;

static void *meet(void *arg)
{
        pthread_barrier_wait(&b);
        return arg;
}

int main(void)
{
        pthread_t t[N];

        pthread_barrier_init(&b, 0, N);
        for (int i = 0; i < N; i++)
                pthread_create(&t[i], 0, meet, 0);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], 0);
        return 0;
}
