/* Threads that retry until their transaction commits: rounds that change nothing are cut. */
#include "txn_test.h"

static int c;

static void work(intptr_t me)
{
        (void)me;
        while (_xbegin() != _XBEGIN_STARTED)
                ;
        c++;
        _xend();
}

int main(void)
{
        run();
        assert(c == K * N);
}
