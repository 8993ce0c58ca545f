/* In the shape of StackUnsafe: a stack that checks its size without the lock that guards it. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[2], size = 1;

static void *pop(void *arg)
{
#ifdef FIXED
        pthread_mutex_lock(&m);
        if (size > 0)
                items[--size] = 0;
        pthread_mutex_unlock(&m);
#else
        if (size > 0) {
                pthread_mutex_lock(&m);
                assert(size > 0);
                items[--size] = 0;
                pthread_mutex_unlock(&m);
        }
#endif
        return arg;
}

int main(void)
{
        RUN(pop, pop);
        return 0;
}
