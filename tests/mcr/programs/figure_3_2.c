/* Figure 3.2. */
#include <pthread.h>

static int x, y;

static void *p(void *arg)
{
        x = 1;
        return arg;
}

static void *q(void *arg)
{
        int r1 = x;

        (void)r1;
        return arg;
}

static void *r(void *arg)
{
        y = 1;
        return arg;
}

static void *s(void *arg)
{
        int r2 = y;

        (void)r2;
        return arg;
}

int main(void)
{
        void *(*const f[])(void *) = {p, q, r, s};
        pthread_t t[4];

        for (int i = 0; i < 4; i++)
                pthread_create(&t[i], 0, f[i], 0);
        for (int i = 0; i < 4; i++)
                pthread_join(t[i], 0);
        return 0;
}
