/* A barrier for two, and three threads: who meets whom depends on who comes when, and one is left alone. */
#include <pthread.h>

static pthread_barrier_t b;

static void *comes(void *arg)
{
        pthread_barrier_wait(&b);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_barrier_init(&b, NULL, 2);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, comes, NULL);
        pthread_barrier_wait(&b);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
