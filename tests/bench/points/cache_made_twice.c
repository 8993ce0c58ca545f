/*
 * Four threads and a cache with a lock for each bucket.  An entry is looked up under the lock, and made, if it is not there,
 * under the lock taken again: two may make the same one.  Each then works through other buckets.
 */
#include <assert.h>
#include <pthread.h>

#define THREADS 4
#define BUCKETS 3
#define ROOM    16

struct bucket {
        pthread_mutex_t lock;
        int keys[ROOM], n, hits;
};

static struct bucket buckets[BUCKETS] = {
        {.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};

static int find(struct bucket *b, int key)
{
        for (int i = 0; i < b->n; i++)
                if (b->keys[i] == key)
                        return 1;
        return 0;
}

static void get(int key)
{
        struct bucket *b = &buckets[key % BUCKETS];
        int there;

        pthread_mutex_lock(&b->lock);
        there = find(b, key);
        b->hits += there;
#ifdef FIXED
        if (!there)
                b->keys[b->n++] = key;
        pthread_mutex_unlock(&b->lock);
#else
        pthread_mutex_unlock(&b->lock);
        if (there)
                return;
        pthread_mutex_lock(&b->lock);
        b->keys[b->n++] = key;
        pthread_mutex_unlock(&b->lock);
#endif
}

static void *user(void *arg)
{
        int me = (int)(long)arg;

        if (me < 2)
                get(0);
        for (int i = 0; i < 3; i++) {
                get(me * 30 + 1 + i * 6);
                get(me * 30 + 2 + i * 6);
        }
        return arg;
}

int main(void)
{
        pthread_t t[THREADS];

        for (long i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, user, (void *)i);
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        for (int i = 0; i < buckets[0].n; i++)
                for (int k = 0; k < i; k++)
                        assert(buckets[0].keys[i] != buckets[0].keys[k]);
        return 0;
}
