/* Values that a function has in registers while another thread runs: each thread has others. */
#include <assert.h>
#include <pthread.h>

#ifndef TYPE
#define TYPE double
#endif
#define N 12

struct numbers {
        TYPE of[N];
        long whole[N];
};
int shared = 3; /* and whoever writes it writes that */

/* Everything is read before the shared word, and used behind it. */
static __attribute__((noinline)) long sum(const struct numbers *n)
{
        TYPE a[N];
        long w[N], all = 0;
        int x;

#pragma clang loop unroll(full)
        for (int i = 0; i < N; i++)
                a[i] = n->of[i];
#pragma clang loop unroll(full)
        for (int i = 0; i < N; i++)
                w[i] = n->whole[i];
        x = shared;
        shared = 3;
#pragma clang loop unroll(full)
        for (int i = 0; i < N; i++)
                all += (long)(a[i] * x) + w[i] * i;
        return all;
}

/* The same where what counts accesses is in a register, too. */
static __attribute__((noinline)) long rounds(const struct numbers *n, int times)
{
        TYPE a = n->of[0], b = n->of[1], c = n->of[2], d = n->of[3];
        long all = 0;

        for (int i = 0; i < times; i++) {
                all += shared;
                a += b;
                c += d;
        }
        return all + (long)a + (long)c;
}

static void *work(void *arg)
{
        struct numbers n;
        long seed = (long)arg, wanted = 0;

        for (int i = 0; i < N; i++) {
                n.of[i] = (TYPE)(seed + i);
                n.whole[i] = seed * 7 + i;
                wanted += (seed + i) * 3 + n.whole[i] * i;
        }
        assert(sum(&n) == wanted);
        assert(rounds(&n, 2) == 2 * 3 + seed + 2 * (seed + 1) + seed + 2 + 2 * (seed + 3));
        return 0;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, 0, work, (void *)1000);
        work((void *)50);
        pthread_join(t, 0);
        return 0;
}
