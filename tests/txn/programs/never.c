/* A transaction that makes a system call can never commit.  SOMETIMES: only if a flag is raised. */
#include "txn_test.h"
#include <unistd.h>

static int c, flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void work(intptr_t me)
{
#ifdef SOMETIMES
        flag = me == 0;
#else
        flag = 1;
#endif
        if (_xbegin() == _XBEGIN_STARTED) {
                if (flag)
                        getppid();
                c++;
                _xend();
                return;
        }
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        (void)me;
}

int main(void)
{
        run();
}
