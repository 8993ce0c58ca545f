/* A hash map with chains, filled by transactions or under a mutex with its flag raised.  RESIZE: it grows at the second key. */
#include "txn_test.h"
#include <stdlib.h>

struct entry {
        int key;
        struct entry *next;
};

static struct entry *few[1], *many[2], **table = few;
static int buckets = 1, n, flag;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void put(struct entry *e)
{
        e->next = table[e->key % buckets];
        table[e->key % buckets] = e;
}

static void insert(int key)
{
        struct entry *e = malloc(sizeof *e);

        e->key = key;
#ifdef RESIZE
        if (n == 1 && buckets == 1) {
                struct entry *old = few[0];
                table = many;
                buckets = 2;
                put(old);
        }
#endif
        put(e);
        n++;
}

static void work(intptr_t me)
{
        static int done[K];
        int key = (int)me + K * done[me]++;

        if (_xbegin() == _XBEGIN_STARTED) {
                if (flag)
                        _xabort(0);
                insert(key);
                _xend();
                return;
        }
        pthread_mutex_lock(&m);
        flag = 1;
        insert(key);
        flag = 0;
        pthread_mutex_unlock(&m);
}

int main(void)
{
        int found = 0;

        run();
        for (int i = 0; i < buckets; i++)
                for (struct entry *e = table[i]; e; e = e->next)
                        found += e->key % buckets == i && e->key < K * N;
        assert(n == K * N && found == n);
}
