/* The fall-back path takes a lock that the transaction does not look at: updates are lost. */
#include "txn_test.h"

static int c;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void work(intptr_t me)
{
        (void)me;
        if (_xbegin() == _XBEGIN_STARTED) {
                c++;
                _xend();
        } else {
                pthread_mutex_lock(&m);
                c++;
                pthread_mutex_unlock(&m);
        }
}

int main(void)
{
        run();
        assert(c == K * N);
}
