/* An abort right after a switch to its thread is explored: it sees what the other one stored. */
#include "txn_test.h"

static int x;

static void work(intptr_t me)
{
        if (me == 0) {
                x = 1;
        } else if (_xbegin() == _XBEGIN_STARTED) {
                _xend();
        } else {
                assert(!x);
        }
}

int main(void)
{
        run();
}
