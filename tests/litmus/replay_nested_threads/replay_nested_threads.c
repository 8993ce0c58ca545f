/* Two threads create a thread each.  The numbers of threads depend on which execution came first, so a schedule counts them as
 * this execution creates them. */
#include <assert.h>
#include <pthread.h>

static int n, g;

static void *leaf(void *arg)
{
        n = 1;
        return arg;
}

static void *middle(void *arg)
{
        pthread_t t;
        int old = g;

        pthread_create(&t, NULL, leaf, arg);
        g = old + 1;
        pthread_join(t, NULL);
        return arg;
}

int main(void)
{
        pthread_t t[2];
        int seen;

        pthread_create(&t[0], NULL, middle, NULL);
        g = g + 2;
        pthread_create(&t[1], NULL, middle, NULL);
        pthread_join(t[1], NULL);
        seen = n;
        pthread_join(t[0], NULL);
        assert(seen == 0);
        return 0;
}
