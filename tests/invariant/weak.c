/* What invariants see of stores that wait in buffers: what has reached memory, in the order in which it does. */
#include <pthread.h>
#include <stdatomic.h>

int x, y;
atomic_int flag, other;

/* Under pso the second store may be the first. */
int in_order(void)
{
        return !y || x;
}

/* False between the two, whichever thread runs in between. */
int at_once(void)
{
        return x == y;
}

/* A release store comes after all before it. */
int released(void)
{
        return !flag || (x && y);
}

static void *writer(void *arg)
{
#ifdef ALONE /* at a point of its own: it runs when its stores reach memory */
        if (other > 1)
                return arg;
#endif
        x = 1;
        y = 1;
        atomic_store_explicit(&flag, 1, memory_order_release);
        return arg;
}

static void *reader(void *arg)
{
#ifndef ALONE
        atomic_store_explicit(&other, x + y, memory_order_relaxed);
#endif
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, writer, NULL);
        pthread_create(&b, NULL, reader, NULL);
#ifdef ALONE
        other = 1;
#endif
        pthread_join(b, NULL);
        pthread_join(a, NULL);
        return 0;
}
