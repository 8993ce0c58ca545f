/* Work is done although trylock failed. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *arg)
{
        int got = pthread_mutex_trylock(&m) == 0;

#ifdef FIXED
        if (!got)
                return arg;
#endif
        inside++;
        assert(inside == 1);
        inside--;
        if (got)
                pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        RUN(work, work);
        return 0;
}
