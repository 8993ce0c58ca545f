/* Figure 6.3 of Blum's thesis: an aborted transaction sees that not all of them have committed. */
#include "txn_test.h"

static int f[K];

static void work(intptr_t me)
{
        int sum = 0;

        if (_xbegin() == _XBEGIN_STARTED) {
                f[me]++;
                _xend();
        } else {
                for (int i = 0; i < K; i++)
                        sum += f[i];
                assert(sum < K * N);
        }
}

int main(void)
{
        run();
}
