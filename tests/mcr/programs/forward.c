/* Store forwarding: each thread reads its own store before the other's (Intel's example 2.4). */
#include <pthread.h>

static int x, y;

static void *one(void *arg)
{
        int a, b;

        x = 1;
        a = x;
        b = y;
        (void)a;
        (void)b;
        return arg;
}

static void *two(void *arg)
{
        int c, d;

        y = 1;
        c = y;
        d = x;
        (void)c;
        (void)d;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, one, 0);
        pthread_create(&b, 0, two, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
