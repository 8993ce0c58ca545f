/* Two values that belong together are written under a lock and read without it. */
#include "bugs.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int low, high;

static void *writer(void *arg)
{
        for (int i = 1; i <= 2; i++) {
                pthread_mutex_lock(&m);
                low = i;
                high = i;
                pthread_mutex_unlock(&m);
        }
        return arg;
}

static void *reader(void *arg)
{
#ifdef FIXED
        pthread_mutex_lock(&m);
#endif
        int l = low, h = high;
#ifdef FIXED
        pthread_mutex_unlock(&m);
#endif
        assert(l == h);
        return arg;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
