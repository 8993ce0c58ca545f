/* Fails in every execution, from the beginning; with LATE only from the last step on. */
#include <assert.h>
#include <pthread.h>
#include <heddle/heddle.h>

static int total;

static void *add(void *arg)
{
        __atomic_fetch_add(&total, 1, __ATOMIC_SEQ_CST);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, add, NULL);
        pthread_create(&b, NULL, add, NULL);
#ifdef LATE
        assert(total != 1);
#endif
        pthread_join(a, NULL);
        pthread_join(b, NULL);
#ifndef LATE
        assert(total != 2);
#endif
        return 0;
}
