/* In the shape of RVExample of Huang's thesis: an error needs three values in an order that few schedules have. */
#include "bugs.h"

static int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                x = 0;
                if (x > 0) {
                        y++;
                        x = 2;
                }
                pthread_mutex_unlock(&m);
        }
        return arg;
}

static void *second(void *arg)
{
        for (int i = 0; i < 2; i++) {
#ifdef FIXED
                pthread_mutex_lock(&m);
                x = 1;
                pthread_mutex_unlock(&m);
#else
                if (x > 1 && y == 1)
                        z = 1;
                x = 1;
#endif
        }
        return arg;
}

int main(void)
{
        RUN(first, second);
        assert(z == 0);
        return 0;
}
