/* One store of another thread is the cause of one abort, also if an own delayed store to the same place reaches memory between. */
#include "txn_test.h"

static volatile int x;

static void work(intptr_t me)
{
        x = 1 + (int)me;
        if (me)
                return;
        for (int i = 0; i < 2; i++)
                if (_xbegin() == _XBEGIN_STARTED) {
                        x++;
                        _xend();
                        return;
                }
        assert(!"aborted twice");
}

int main(void)
{
        run();
}
