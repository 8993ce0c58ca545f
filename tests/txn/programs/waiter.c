/* The transactions can only have a conflict with a load that waits for them.  TWICE: two of them, each with another round. */
#include "txn_test.h"

#ifdef TWICE
#define TIMES 2
#else
#define TIMES 1
#endif

static int flag, conflicts;

static void work(intptr_t me)
{
        if (me) {
                while (!__atomic_load_n(&flag, __ATOMIC_SEQ_CST))
                        ;
                return;
        }
        for (int i = 0; i < TIMES; i++) {
                unsigned s = _xbegin();
                if (s == _XBEGIN_STARTED) {
                        flag = 1;
                        _xend();
                        return;
                }
                conflicts += (s & _XABORT_CONFLICT) != 0;
        }
        __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
        run();
        assert(conflicts < TIMES);
}
