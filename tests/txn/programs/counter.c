/* A counter, by transactions or by an atomic update. */
#include "txn_test.h"

static int c;

static void work(intptr_t me)
{
        (void)me;
        if (_xbegin() == _XBEGIN_STARTED) {
                c++;
                _xend();
        } else {
                __atomic_fetch_add(&c, 1, __ATOMIC_SEQ_CST);
        }
}

int main(void)
{
        run();
        assert(c == K * N);
}
