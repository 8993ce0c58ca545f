/* Two lost updates, one in each of two functions: -DX and -DY ask for either. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;
static int hits;

static void first(void)
{
        int t = x;

        x = t + 1;
        hits++;
}

static void second(void)
{
        int t = y;

        y = t + 1;
}

static void *run(void *arg)
{
        first();
        second();
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, run, NULL);
        run(NULL);
        pthread_join(t, NULL);
#ifdef X
        assert(x == 2);
#endif
#ifdef Y
        assert(y == 2);
#endif
        return 0;
}
