/* A compare-and-swap that failed may conflict with more when it comes earlier, and with what only another execution shows:
 * its reversal must be checked again there. */
#include <stdint.h>

#include "../litmus.h"

union {
        uint64_t whole;
        uint32_t low;
        uint8_t byte[8];
} m;
uint64_t r0, r2, r3;

static void *parts(void *arg)
{
        uint8_t e = 0;

        __atomic_compare_exchange_n(&m.byte[6], &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        __atomic_store_n(&m.low, 0x03030303, __ATOMIC_SEQ_CST);
        __atomic_store_n(&m.byte[4], 4, __ATOMIC_SEQ_CST);
        r0 = e;
        return arg;
}

static void *whole(void *arg)
{
        uint64_t e = UINT64_C(0x0505050505050505);

        __atomic_store_n(&m.whole, e, __ATOMIC_SEQ_CST);
        __atomic_compare_exchange_n(&m.whole, &e, UINT64_C(0x0606060606060606), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        r2 = e & 0xff;
        return arg;
}

static void *look(void *arg)
{
        r3 = __atomic_load_n(&m.byte[4], __ATOMIC_SEQ_CST);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, parts, NULL);
        pthread_create(&t[1], NULL, whole, NULL);
        pthread_create(&t[2], NULL, look, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
