/*
 * A ring buffer without locks for one producer and one consumer, with C11 atomics.  Correct: the element is written
 * before `tail` says that it is there, and read before `head` says that its place is free.  -DEARLY moves the
 * producer's last store up by one line.
 *
 *     heddle check examples/spsc_ring.c
 *     heddle check -DEARLY examples/spsc_ring.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE  2
#define ITEMS 3

static int ring[SIZE];
static atomic_uint head, tail; /* taken and given so far */

static int try_put(int item)
{
        unsigned t = atomic_load(&tail);

        if (t - atomic_load(&head) == SIZE)
                return 0;
#ifdef EARLY
        atomic_store(&tail, t + 1);
        ring[t % SIZE] = item;
#else
        ring[t % SIZE] = item;
        atomic_store(&tail, t + 1);
#endif
        return 1;
}

static int try_get(int *item)
{
        unsigned h = atomic_load(&head);

        if (h == atomic_load(&tail))
                return 0;
        *item = ring[h % SIZE];
        atomic_store(&head, h + 1);
        return 1;
}

static void *producer(void *unused)
{
        for (int i = 1; i <= ITEMS; i++)
                while (!try_put(i))
                        ;
        return unused;
}

int main(void)
{
        pthread_t p;
        int item;

        pthread_create(&p, NULL, producer, NULL);
        for (int i = 1; i <= ITEMS; i++) {
                while (!try_get(&item))
                        ;
                assert(item == i);
        }
        pthread_join(p, NULL);
        return 0;
}
