/* Counter(N): one thread adds, one subtracts. */
#include <pthread.h>

static int c;

static void *up(void *arg)
{
        for (int i = 0; i < N; i++)
                c = c + 1;
        return arg;
}

static void *down(void *arg)
{
        for (int i = 0; i < N; i++)
                c = c - 1;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, up, 0);
        pthread_create(&b, 0, down, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
