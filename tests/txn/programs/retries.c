/* A loop that counts its retries reaches its fall-back path, which is wrong. */
#include "txn_test.h"

static int c;

static void work(intptr_t me)
{
        (void)me;
        for (int i = 0; i < 3; i++)
                if (_xbegin() == _XBEGIN_STARTED) {
                        c++;
                        _xend();
                        return;
                }
        c++;
}

int main(void)
{
        run();
        assert(c == K * N);
}
