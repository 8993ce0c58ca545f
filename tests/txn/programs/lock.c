/*
 * A lock that is elided: a transaction if it is free.  CAS: it is found free by a compare-and-swap, a write, so that transactions of
 * independent threads conflict.  MUTEX: a pthread mutex with a flag.  FAST: the threads are independent, and no one takes the lock.
 */
#include "txn_test.h"
#include <sched.h>

static int held;

#ifdef MUTEX
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif

static int is_free(void)
{
#ifdef CAS
        int expected = 0;

        return __atomic_compare_exchange_n(&held, &expected, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#else
        return !__atomic_load_n(&held, __ATOMIC_RELAXED);
#endif
}

static void acquire(void)
{
        for (;;) {
                unsigned status = _xbegin();
                if (status == _XBEGIN_STARTED) {
                        if (is_free())
                                return;
                        _xabort(0xff);
                }
                if (!(status & _XABORT_RETRY))
                        break;
        }
#ifdef MUTEX
        pthread_mutex_lock(&m);
        __atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST);
#else
        while (__atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST))
                ;
#endif
}

static void release(void)
{
        if (_xtest()) {
                _xend();
                return;
        }
        __atomic_store_n(&held, 0, __ATOMIC_SEQ_CST);
#ifdef MUTEX
        pthread_mutex_unlock(&m);
#endif
}

#ifdef FAST
static struct {
        _Alignas(64) int in;
} section[K];
#else
static int in;
#endif

static void work(intptr_t me)
{
        acquire();
#ifdef FAST
        section[me].in++;
        assert(_xtest());
        section[me].in--;
#else
        (void)me;
        in++;
        if (!_xtest())
                sched_yield();
        assert(in == 1);
        in--;
#endif
        release();
}

int main(void)
{
        run();
}
