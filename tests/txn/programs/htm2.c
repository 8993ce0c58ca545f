/* The transaction aborts while the fall-back path is taken.  Safe under sc; the flag may wait in a store buffer under tso. */
#include "txn_test.h"

static int c, stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void work(intptr_t me)
{
        (void)me;
        if (_xbegin() == _XBEGIN_STARTED) {
                if (stop)
                        _xabort(0);
                c++;
                _xend();
        } else {
                pthread_mutex_lock(&m);
                stop = 1;
#ifdef RAISED
                __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
                c++;
#ifdef LOWERED
                __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
                stop = 0;
                pthread_mutex_unlock(&m);
        }
}

int main(void)
{
        run();
        assert(c == K * N);
}
