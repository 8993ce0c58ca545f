/*
 * A table whose buckets are chosen by a hash of addresses: how far a thread looks depends on where its blocks are.  Two statistics are
 * kept without a lock: of which the second is the one that is wrong most often.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#define BLOCKS 40

struct entry {
        const void *key;
        struct entry *next;
};

static struct entry *buckets[8];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int low, high;

static void add(const void *p)
{
        struct entry **bucket = &buckets[(unsigned)(((uintptr_t)p >> 4) * 2654435761u >> 13) % 8], *e, *added;
        int seen;

        pthread_mutex_lock(&lock);
        for (e = *bucket; e && e->key != p; e = e->next)
                ;
        if (!e) {
                added = malloc(sizeof *added);
                *added = (struct entry){p, *bucket};
                *bucket = added;
        }
        pthread_mutex_unlock(&lock);
        low++;
        seen = high;
        sched_yield();
        high = seen + 1;
}

static void *run(void *arg)
{
        for (int i = 0; i < BLOCKS; i++)
                add(malloc(24));
        return arg;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, run, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(low == 2 * BLOCKS);
        assert(high == 2 * BLOCKS);
        return 0;
}
