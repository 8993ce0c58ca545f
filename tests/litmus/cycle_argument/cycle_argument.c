/* Two threads may back off for each other again and again, so states are compared.  What another thread has loaded and is about to
 * store is a part of the state, though at -O2 it is in no register that calls preserve. */
#include <stdatomic.h>

#include "../litmus.h"

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
atomic_int x, y;
int r, s;

static void both(int first)
{
        for (;; first = 1 - first) {
                pthread_mutex_lock(&m[first]);
                if (!pthread_mutex_trylock(&m[1 - first]))
                        break;
                pthread_mutex_unlock(&m[first]);
        }
        pthread_mutex_unlock(&m[1 - first]);
        pthread_mutex_unlock(&m[first]);
}

static void *a(void *arg)
{
        both(0);
        atomic_store(&x, 1);
        r = atomic_load(&y);
        s = atomic_load(&y);
        return arg;
}

static void *b(void *arg)
{
        atomic_store(&y, atomic_load(&x) + 1);
        both(1);
        return arg;
}

int main(void)
{
        RUN(a, b);
        return 0;
}
