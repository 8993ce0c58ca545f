/* An abort by a conflict comes after the access that causes it: the first addition sees 0.  EARLY: an abort for another reason does not. */
#include "txn_test.h"

static int c;

static void work(intptr_t me)
{
        unsigned status;

        if (me == 0) {
                assert(__atomic_fetch_add(&c, 1, __ATOMIC_SEQ_CST) == 0);
                return;
        }
        status = _xbegin();
        if (status == _XBEGIN_STARTED) {
                c = 0;
                _xend();
#ifdef EARLY
        } else if (status & _XABORT_RETRY) {
#else
        } else if (status & _XABORT_CONFLICT) {
#endif
                __atomic_fetch_add(&c, 1, __ATOMIC_SEQ_CST);
        }
}

int main(void)
{
        run();
}
