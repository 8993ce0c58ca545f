/*
 * The bounded non-blocking queue of Shann, Huang and Chen (2000) with one producer and one consumer, as in appendix A.1
 * of Florian's SCALE thesis; compare-and-swap is done under a mutex there, and here.
 *
 * The bug: a consumer that looked at a slot of the empty queue and finds the queue filled a moment later believes that
 * another consumer has just emptied that slot, and helps it by moving `front` on.  The element is lost.  It shows as a
 * wrong element (the assertion) or, when it was the last one, as a consumer that waits forever (livelock).
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

struct slot {
        int *item;        /* NULL: empty */
        unsigned version; /* counts the changes of this slot */
};

static struct slot queue[N];
static unsigned front, rear;
static pthread_mutex_t cas_lock = PTHREAD_MUTEX_INITIALIZER;

static bool slot_cas(struct slot *s, struct slot old, struct slot new)
{
        bool same;

        pthread_mutex_lock(&cas_lock);
        same = s->item == old.item && s->version == old.version;
        if (same) {
                s->item = new.item;
                s->version = new.version;
        }
        pthread_mutex_unlock(&cas_lock);
        return same;
}

static void index_cas(unsigned *index, unsigned old, unsigned new)
{
        pthread_mutex_lock(&cas_lock);
        if (*index == old)
                *index = new;
        pthread_mutex_unlock(&cas_lock);
}

static void enqueue(int *item)
{
        for (;;) {
                unsigned at = rear;
                struct slot seen;

                seen.item = queue[at % N].item;
                seen.version = queue[at % N].version;
                if (at != rear)
                        continue;
                if (at == front + N)
                        continue;
                if (seen.item == NULL) {
                        struct slot full = {item, seen.version + 1};

                        if (slot_cas(&queue[at % N], seen, full)) {
                                index_cas(&rear, at, at + 1);
                                return;
                        }
                } else {
                        index_cas(&rear, at, at + 1);
                }
        }
}

static int *dequeue(void)
{
        for (;;) {
                unsigned at = front;
                struct slot seen;

                seen.item = queue[at % N].item;
                seen.version = queue[at % N].version;
                if (at != front)
                        continue;
                if (at == rear)
                        continue;
                if (seen.item != NULL) {
                        struct slot empty = {NULL, seen.version + 1};

                        if (slot_cas(&queue[at % N], seen, empty)) {
                                index_cas(&front, at, at + 1);
                                return seen.item;
                        }
                } else {
                        index_cas(&front, at, at + 1);
                }
        }
}

static void *producer(void *arg)
{
        static int items[N];

        (void)arg;
        for (int i = 0; i < N; i++) {
                items[i] = i;
                enqueue(&items[i]);
        }
        return NULL;
}

static void *consumer(void *arg)
{
        (void)arg;
        for (int i = 0; i < N; i++)
                assert(*dequeue() == i);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, producer, NULL);
        consumer(NULL);
        pthread_join(thread, NULL);
        return 0;
}
