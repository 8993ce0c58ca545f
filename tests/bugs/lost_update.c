/* Two threads count without a lock. */
#include "bugs.h"

static int counter;
#ifdef FIXED
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&m)
#define UNLOCK() pthread_mutex_unlock(&m)
#else
#define LOCK()
#define UNLOCK()
#endif

static void *count(void *arg)
{
        for (int i = 0; i < 2; i++) {
                LOCK();
                counter++;
                UNLOCK();
        }
        return arg;
}

int main(void)
{
        RUN(count, count);
        assert(counter == 4);
        return 0;
}
