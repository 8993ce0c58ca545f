/* Two readers of a lock, one in a transaction: both change the lock's word, so one can abort the other, though neither waits. */
#include "txn_test.h"

static pthread_rwlock_t lock __attribute__((aligned(64))) = PTHREAD_RWLOCK_INITIALIZER;
static int aborts __attribute__((aligned(64)));

static void work(intptr_t me)
{
        if (!me) {
                if (_xbegin() == _XBEGIN_STARTED) {
                        pthread_rwlock_rdlock(&lock);
                        pthread_rwlock_unlock(&lock);
                        _xend();
                } else {
                        aborts++;
                }
        } else {
                pthread_rwlock_rdlock(&lock);
                pthread_rwlock_unlock(&lock);
        }
}

int main(void)
{
        run();
        assert(!aborts);
}
