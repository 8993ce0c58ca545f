/* Every kind of atomic operation of every size from 1 to 8 bytes gives the right result and leaves the right value. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK(name, type)                                                                                              \
        static void name(void)                                                                                         \
        {                                                                                                              \
                type x = 5, y, expected;                                                                               \
                                                                                                                       \
                assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 5);                                                    \
                __atomic_store_n(&x, 6, __ATOMIC_RELEASE);                                                             \
                assert(__atomic_exchange_n(&x, 12, __ATOMIC_SEQ_CST) == 6);                                            \
                assert(__atomic_fetch_add(&x, 3, __ATOMIC_RELAXED) == 12 && x == 15);                                  \
                assert(__atomic_fetch_sub(&x, 5, __ATOMIC_ACQ_REL) == 15 && x == 10);                                  \
                assert(__atomic_fetch_and(&x, 6, __ATOMIC_SEQ_CST) == 10 && x == 2);                                   \
                assert(__atomic_fetch_or(&x, 5, __ATOMIC_SEQ_CST) == 2 && x == 7);                                     \
                assert(__atomic_fetch_xor(&x, 2, __ATOMIC_SEQ_CST) == 7 && x == 5);                                    \
                assert(__atomic_fetch_nand(&x, 4, __ATOMIC_SEQ_CST) == 5 && x == (type)~4);                            \
                x = 5;                                                                                                 \
                assert(__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == 6);                                              \
                assert(__atomic_sub_fetch(&x, 2, __ATOMIC_SEQ_CST) == 4);                                              \
                expected = 3;                                                                                          \
                assert(!__atomic_compare_exchange_n(&x, &expected, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));     \
                assert(expected == 4 && x == 4);                                                                       \
                assert(__atomic_compare_exchange_n(&x, &expected, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));      \
                assert(x == 9);                                                                                        \
                assert(__sync_val_compare_and_swap(&x, 9, 1) == 9 && x == 1);                                          \
                assert(__sync_fetch_and_add(&x, 1) == 1 && x == 2);                                                    \
                assert(__sync_lock_test_and_set(&x, 1) == 2);                                                          \
                __sync_lock_release(&x);                                                                               \
                __atomic_load(&x, &y, __ATOMIC_SEQ_CST);                                                               \
                assert(y == 0);                                                                                        \
        }

CHECK(check_8, uint8_t)
CHECK(check_16, uint16_t)
CHECK(check_32, uint32_t)
CHECK(check_64, uint64_t)

int main(void)
{
        atomic_flag flag = ATOMIC_FLAG_INIT;
        _Atomic(char *) pointer = NULL;

        check_8();
        check_16();
        check_32();
        check_64();
        assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
        atomic_flag_clear(&flag);
        assert(!atomic_flag_test_and_set(&flag));
        atomic_fetch_add(&pointer, 3);
        assert(atomic_load(&pointer) == (char *)0 + 3);
        atomic_thread_fence(memory_order_seq_cst);
        atomic_signal_fence(memory_order_seq_cst);
        __sync_synchronize();
        return 0;
}
