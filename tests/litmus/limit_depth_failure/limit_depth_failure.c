/* A thread fails, and the execution is cut while another one continues. */
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *fails(void *arg)
{
        assert(arg);
        return arg;
}

static void *counts(void *arg)
{
        for (int i = 0; i < 10; i++)
                x++;
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, fails, NULL);
        pthread_create(&t[1], NULL, counts, NULL);
        pthread_create(&t[2], NULL, counts, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
