/* C11 threads take turns by a condition variable, and then update a counter without the lock. */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t c;
static int turn, n;

static int work(void *arg)
{
        int k = *(int *)arg, seen;

        mtx_lock(&m);
        while (turn != k)
                cnd_wait(&c, &m);
        turn++;
        cnd_broadcast(&c);
        mtx_unlock(&m);
        seen = n;
        if (seen >= k)
                n = seen + 1;
        else
                n = seen + 2;
        return 0;
}

int main(void)
{
        thrd_t t[3];
        int k[3] = {0, 1, 2};

        mtx_init(&m, mtx_plain);
        cnd_init(&c);
        for (int i = 0; i < 3; i++)
                thrd_create(&t[i], work, &k[i]);
        for (int i = 0; i < 3; i++)
                thrd_join(t[i], NULL);
        assert(n == 3);
        return 0;
}
