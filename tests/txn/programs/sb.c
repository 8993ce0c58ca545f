/* Store buffering around a transaction: an abort leaves the store buffer as it is, a commit empties it. */
#include "txn_test.h"

static int x, y, f = F, r0 = -1, r1 = -1;

static void work(intptr_t me)
{
        if (me == 0) {
                x = 1;
                if (_xbegin() == _XBEGIN_STARTED) {
                        if (f)
                                _xabort(1);
                        _xend();
                }
                r0 = y;
        } else {
                y = 1;
                __atomic_thread_fence(__ATOMIC_SEQ_CST);
                r1 = x;
        }
}

int main(void)
{
        run();
        assert(r0 || r1);
}
