/* One thread writes a word of a cache line in which others run a transaction with another word: they conflict. */
#include "txn_test.h"

static struct {
        _Alignas(64) volatile int mine;
        int unused[8];
        volatile int other;
} line;

static void work(intptr_t me)
{
        if (me == 1) {
                line.other = 1;
        } else if (_xbegin() == _XBEGIN_STARTED) {
                line.mine++;
                _xend();
        } else {
                assert(0);
        }
}

int main(void)
{
        run();
}
