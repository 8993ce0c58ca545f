/* A compare-and-swap that touches less once it fails: the read must also be tried before its success. */
#include "../litmus.h"

long x, y, r1, r2;

#define HALF(i) (((short *)&x)[i])

static void *update(void *arg)
{
        __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&HALF(1), 3, __ATOMIC_SEQ_CST);
        return NULL;
}

static void *look(void *arg)
{
        r2 = HALF(0);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, update, NULL);
        pthread_create(&b, NULL, look, NULL);
        r1 = __sync_bool_compare_and_swap(&x, 0, 3);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
