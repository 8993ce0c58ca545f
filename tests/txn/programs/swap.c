/*
 * Swaps of two slots, by a transaction or with the locks of both slots, whose flags the transaction reads.  BUG: the locks are taken
 * in the order of the arguments, so that swaps of the same slots in both orders deadlock.
 */
#include "txn_test.h"

static int slot[2] = {1, 2}, busy[2];
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void exchange(int a, int b)
{
        int was = slot[a];

        slot[a] = slot[b];
        slot[b] = was;
}

static void work(intptr_t me)
{
        int a = me & 1, b = !a;
#ifdef BUG
        int first = a, second = b;
#else
        int first = 0, second = 1;
#endif
        if (_xbegin() == _XBEGIN_STARTED) {
                if (busy[a] || busy[b])
                        _xabort(0);
                exchange(a, b);
                _xend();
                return;
        }
        pthread_mutex_lock(&m[first]);
        pthread_mutex_lock(&m[second]);
        busy[a] = busy[b] = 1;
        exchange(a, b);
        busy[a] = busy[b] = 0;
        pthread_mutex_unlock(&m[second]);
        pthread_mutex_unlock(&m[first]);
}

int main(void)
{
        run();
        assert(slot[K * N % 2] == 1 && slot[!(K * N % 2)] == 2);
}
