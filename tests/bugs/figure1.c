/* In the shape of figure 1 of Blum and Gibson (OOPSLA 2016): a count under a lock decides who cleans up, but one thread looks
 * at it again without the lock. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int refs = 2, alive = 1;

static void *drop(void *arg)
{
        pthread_mutex_lock(&m);
        int left = --refs;
        pthread_mutex_unlock(&m);
#ifdef FIXED
        if (left == 0) {
#else
        left = left;
        if (refs == 0) {
#endif
                assert(alive);
                alive = 0;
        }
        return arg;
}

int main(void)
{
        RUN(drop, drop);
        assert(!alive);
        return 0;
}
