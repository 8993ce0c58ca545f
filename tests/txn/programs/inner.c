/*
 * Two aborts by conflicts with reads of other bytes of the line, which do not race: the second one needs a preemption between the
 * reads.
 */
#include "txn_test.h"

static volatile long line[2] __attribute__((aligned(64)));

static void work(intptr_t me)
{
        if (me) {
                (void)line[1];
                (void)line[1];
                return;
        }
        for (int i = 0; i < 2; i++)
                if (_xbegin() == _XBEGIN_STARTED) {
                        line[0] = 1;
                        _xend();
                        return;
                }
        assert(!"aborted twice");
}

int main(void)
{
        run();
}
