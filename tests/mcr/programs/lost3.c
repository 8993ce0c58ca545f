/* A strict prefix loses r == 1. */
#include <pthread.h>

static int x, y, z;

static void *one(void *arg)
{
        x = 1;
        y = 1;
        return arg;
}

static void *two(void *arg)
{
        x = 2;
        z = 1;
        return arg;
}

static void *three(void *arg)
{
        int r = 0;

        if (y == 1 && z == 1)
                r = x;
        (void)r;
        return arg;
}

int main(void)
{
        pthread_t a, b, c;

        pthread_create(&c, 0, three, 0);
        pthread_create(&a, 0, one, 0);
        pthread_create(&b, 0, two, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        pthread_join(c, 0);
        return 0;
}
