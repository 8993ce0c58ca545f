/* A work-stealing deque after Chase and Lev whose owner takes the last element without a compare-and-swap: a thief may have it,
 * too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 4
#ifndef THIEVES
#define THIEVES 2
#endif

static atomic_int top, bottom, items[ITEMS], taken[ITEMS];

static void push(int v)
{
        int b = bottom;

        items[b % ITEMS] = v;
        bottom = b + 1;
}

static int pop(void)
{
        int b = bottom - 1, t;

        bottom = b;
        t = top;
        if (t > b) {
                bottom = t;
                return -1;
        }
        if (t == b)
                bottom = top = t + 1; /* wrong: a thief may do the same */
        return items[b % ITEMS];
}

static int steal(void)
{
        int t = top, b = bottom, v;

        if (t >= b)
                return -1;
        v = items[t % ITEMS];
        return atomic_compare_exchange_strong(&top, &t, t + 1) ? v : -1;
}

static void take(int v)
{
        if (v >= 0)
                assert(atomic_fetch_add(&taken[v], 1) == 0);
}

static void *thief(void *arg)
{
        take(steal());
        take(steal());
        return arg;
}

int main(void)
{
        pthread_t t[THIEVES];

        for (int i = 0; i < THIEVES; i++)
                pthread_create(&t[i], NULL, thief, NULL);
        for (int i = 0; i < ITEMS; i++)
                push(i);
        for (int i = 0; i < ITEMS; i++)
                take(pop());
        for (int i = 0; i < THIEVES; i++)
                pthread_join(t[i], NULL);
        return 0;
}
