/*
 * Locks and queues with raw loops: -DSHAPE=TICKET, TTAS, MCS, TREIBER, MSQUEUE, MSPAIR (each enqueues, then dequeues),
 * MSRESULT (as MSPAIR, where attempts that fail have written the result), PETERSON, BOX (numbers are handed over, and taken), or STACK (as TREIBER) and ADD, which continue with what a failed attempt has read; -DN=threads, -DROUNDS=rounds.  tests/loops/counts.tsv has the executions that an exploration needs.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define TICKET   1
#define TTAS     2
#define MCS      3
#define TREIBER  4
#define MSQUEUE  5
#define PETERSON 6
#define MSPAIR   7
#define STACK    8
#define ADD      9
#define BOX      10
#define MSRESULT 11

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int counter;
#if SHAPE == MSRESULT
static int results[N];
#endif

struct node {
        _Atomic(struct node *) next;
        atomic_int locked;
        int value;
};
static struct node nodes[N + 1];

#if SHAPE == TICKET
static atomic_int next, serving;
static void lock(int me)
{
        int mine = atomic_fetch_add(&next, 1);

        (void)me;
        while (atomic_load(&serving) != mine)
                ;
}
static void unlock(int me)
{
        (void)me;
        atomic_store(&serving, atomic_load(&serving) + 1);
}
#elif SHAPE == TTAS
static atomic_int held;
static void lock(int me)
{
        (void)me;
        for (;;) {
                while (atomic_load(&held))
                        ;
                if (!atomic_exchange(&held, 1))
                        break;
        }
}
static void unlock(int me)
{
        (void)me;
        atomic_store(&held, 0);
}
#elif SHAPE == MCS
static _Atomic(struct node *) tail;
static void lock(int me)
{
        struct node *n = &nodes[me], *before;

        atomic_store(&n->next, NULL);
        before = atomic_exchange(&tail, n);
        if (!before)
                return;
        atomic_store(&n->locked, 1);
        atomic_store(&before->next, n);
        while (atomic_load(&n->locked))
                ;
}
static void unlock(int me)
{
        struct node *n = &nodes[me], *after = atomic_load(&n->next), *expected = n;

        if (!after) {
                if (atomic_compare_exchange_strong(&tail, &expected, NULL))
                        return;
                while (!(after = atomic_load(&n->next)))
                        ;
        }
        atomic_store(&after->locked, 0);
}
#elif SHAPE == PETERSON
atomic_int flag[2], turn; /* not static: clang 14 makes a local variable of `turn` */
static void lock(int me)
{
        atomic_store(&flag[me], 1);
        atomic_store(&turn, 1 - me);
        while (atomic_load(&flag[1 - me]) && atomic_load(&turn) == 1 - me)
                ;
}
static void unlock(int me)
{
        atomic_store(&flag[me], 0);
}
#elif SHAPE == TREIBER
static _Atomic(struct node *) top;
static void *thread(void *arg)
{
        int me = (int)(long)arg;
        struct node *n = &nodes[me], *old, *after;

        n->value = me;
        do {
                old = atomic_load(&top);
                atomic_store(&n->next, old);
        } while (!atomic_compare_exchange_strong(&top, &old, n));
        do {
                old = atomic_load(&top);
                assert(old);
                after = atomic_load(&old->next);
        } while (!atomic_compare_exchange_strong(&top, &old, after));
        return NULL;
}
#elif SHAPE == STACK
static _Atomic(struct node *) top;
static void *thread(void *arg)
{
        struct node *n = &nodes[(long)arg], *old = atomic_load(&top), *after;

        do
                atomic_store(&n->next, old);
        while (!atomic_compare_exchange_strong(&top, &old, n));
        old = atomic_load(&top);
        do {
                assert(old);
                after = atomic_load(&old->next);
        } while (!atomic_compare_exchange_strong(&top, &old, after));
        return NULL;
}
#elif SHAPE == BOX
static atomic_int box;
static void *thread(void *arg)
{
        for (int i = 1; i < 3; i++) {
                int now = arg ? i : 0;

                while (atomic_load_explicit(&box, memory_order_acquire) != now)
                        ;
                atomic_store_explicit(&box, i - now, memory_order_release);
        }
        return NULL;
}
#elif SHAPE == ADD
static atomic_int sum;
static void lock(int me)
{
        int old = atomic_load(&sum);

        (void)me;
        while (!atomic_compare_exchange_strong(&sum, &old, old + 1))
                ;
}
#elif SHAPE == MSQUEUE || SHAPE == MSPAIR || SHAPE == MSRESULT
static _Atomic(struct node *) head = &nodes[N], tail = &nodes[N];
#if SHAPE != MSQUEUE
static void dequeue(int *result)
{
        for (;;) {
                struct node *first = atomic_load(&head), *last = atomic_load(&tail), *next = atomic_load(&first->next);

                if (first != atomic_load(&head))
                        continue;
                if (first == last) {
                        assert(next);
                        atomic_compare_exchange_strong(&tail, &last, next);
                } else {
                        if (result)
                                *result = next->value;
                        if (atomic_compare_exchange_strong(&head, &first, next))
                                return;
                }
        }
}
#endif
static void *thread(void *arg)
{
        int me = (int)(long)arg;
        struct node *n = &nodes[me], *last, *next, *expected;
#if SHAPE == MSRESULT
        int value;
#endif

        n->value = me;
        for (;;) {
                last = atomic_load(&tail);
                next = atomic_load(&last->next);
                if (last != atomic_load(&tail))
                        continue;
                if (next) {
                        expected = last;
                        atomic_compare_exchange_strong(&tail, &expected, next);
                        continue;
                }
                expected = NULL;
                if (atomic_compare_exchange_strong(&last->next, &expected, n))
                        break;
        }
        expected = last;
        atomic_compare_exchange_strong(&tail, &expected, n);
#if SHAPE == MSPAIR
        dequeue(NULL);
#elif SHAPE == MSRESULT
        dequeue(&value);
        results[me] = value;
#endif
        return NULL;
}
#endif

#define IS_LOCK (SHAPE < TREIBER || SHAPE == PETERSON)
#if IS_LOCK || SHAPE == ADD
static void *thread(void *arg)
{
        for (int i = 0; i < ROUNDS; i++) {
                lock((int)(long)arg);
#if IS_LOCK
                counter++;
                unlock((int)(long)arg);
#endif
        }
        return NULL;
}
#endif

int main(void)
{
        pthread_t t[N];

        for (long i = 0; i < N; i++)
                pthread_create(&t[i], NULL, thread, (void *)i);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
#if IS_LOCK
        assert(counter == N * ROUNDS);
#endif
        return 0;
}
