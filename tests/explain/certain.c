/* Fails in every execution, from the beginning; with LATE only from the last step on; with RARE in all but one of 252. */
#include <assert.h>
#include <pthread.h>
#include <heddle/heddle.h>

static int total;

#ifdef RARE
static unsigned order = 1;

static void *note(void *arg)
{
        for (int i = 0; i < 5; i++) {
                unsigned old = __atomic_load_n(&order, __ATOMIC_SEQ_CST);
                while (!__atomic_compare_exchange_n(&order, &old, old << 1 | (arg != NULL), 0, __ATOMIC_SEQ_CST,
                                                    __ATOMIC_SEQ_CST))
                        ;
        }
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, note, NULL);
        pthread_create(&b, NULL, note, &order);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(order == 0x666); /* 1 and 1001100110 */
        return 0;
}
#else
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
#endif
