/* Lock elision with retries: the transaction reads the lock, and a thread that finds it taken waits and begins again. */
#include "txn_test.h"

static int lock, c;

static void work(intptr_t me)
{
        (void)me;
        for (;;) {
                unsigned s = _xbegin();
                if (s == _XBEGIN_STARTED) {
                        if (lock)
                                _xabort(0xff);
                        c++;
                        _xend();
                        return;
                }
                if (!(s & _XABORT_RETRY) && !(s & _XABORT_EXPLICIT))
                        break;
                while (__atomic_load_n(&lock, __ATOMIC_SEQ_CST))
                        ;
        }
        while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))
                ;
        c++;
#ifdef UNLOCK_EARLY
        __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
        c++;
        c--;
#else
        __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
#endif
}

int main(void)
{
        run();
        assert(c == K * N);
}
