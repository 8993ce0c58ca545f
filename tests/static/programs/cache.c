/* A cache with counters of hits and misses, and a log of the last requests.  FAULTY: an entry is filled twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define KEYS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int filled[KEYS], value[KEYS];
static _Atomic unsigned requests;
static struct {
        unsigned hits, misses, longest;
} figures;
static struct {
        unsigned number, key;
} history[4];

static void note(int key, int hit)
{
        unsigned n = atomic_fetch_add(&requests, 1);

        history[key].number = n;
        history[key + 2].number = history[key].number + figures.hits;
        history[key].key += (unsigned)key;
        figures.hits += (unsigned)hit;
        figures.misses += (unsigned)!hit;
        figures.longest = figures.hits + figures.misses;
}

static int get(int key)
{
        pthread_mutex_lock(&lock);
        int hit = filled[key];
        note(key, hit);
#ifdef FAULTY
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
#endif
        if (!hit) {
                value[key]++;
                filled[key] = 1;
        }
        pthread_mutex_unlock(&lock);
        return value[key];
}

static void *client(void *unused)
{
        get(0);
        get(1);
        return unused;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, client, 0);
        pthread_create(&b, 0, client, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(value[0] == 1 && value[1] == 1);
        return 0;
}
