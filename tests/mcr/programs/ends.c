/* Two writes that no thread reads, and a check at the end that one of their orders fails.  STREAM: the same under the lock of a
 * stream, which a thread may take again. */
#include <pthread.h>
#include <stdio.h>

static volatile int x, y;

int final_x(void)
{
        return x != 1;
}

static void *one(void *arg)
{
#ifdef STREAM
        flockfile(stdout);
        flockfile(stdout);
        x = 1;
        funlockfile(stdout);
        y = 1;
        funlockfile(stdout);
#else
        x = 1;
#endif
        return arg;
}

static void *two(void *arg)
{
#ifdef STREAM
        if (ftrylockfile(stdout))
                return arg;
        x = y;
        funlockfile(stdout);
#else
        x = 2;
#endif
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, 0, one, 0);
        pthread_create(&u, 0, two, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}
