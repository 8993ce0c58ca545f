/* The same deadlock as mutex_cycle, in C11. */
#include <threads.h>

static mtx_t a, b;

static int one(void *arg)
{
        mtx_lock(&a);
        mtx_lock(&b);
        mtx_unlock(&b);
        mtx_unlock(&a);
        return 0;
}

static int two(void *arg)
{
        mtx_lock(&b);
        mtx_lock(&a);
        mtx_unlock(&a);
        mtx_unlock(&b);
        return 0;
}

int main(void)
{
        thrd_t t[2];

        mtx_init(&a, mtx_plain);
        mtx_init(&b, mtx_plain);
        thrd_create(&t[0], one, NULL);
        thrd_create(&t[1], two, NULL);
        thrd_join(t[0], NULL);
        thrd_join(t[1], NULL);
        return 0;
}
