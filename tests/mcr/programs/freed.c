/* A block is written and freed: no value tells the use after free apart. */
#include <pthread.h>
#include <stdlib.h>

static int *p;

static void *one(void *arg)
{
        *p = 1;
        return arg;
}

static void *two(void *arg)
{
        free(p);
        return arg;
}

int main(void)
{
        pthread_t t, u;

        p = malloc(sizeof *p);
        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}
