/* A transaction that aborts after it has read more places than there is room for. */
#include "txn_test.h"

static volatile char at[70000];

static void work(intptr_t me)
{
        if (me) {
                at[0] = at[sizeof at - 1] = 1;
                return;
        }
        if (_xbegin() == _XBEGIN_STARTED) {
                for (unsigned i = 0; i < sizeof at; i++)
                        if (at[i] == 2)
                                break;
                _xabort(1);
        }
}

int main(void)
{
        run();
}
