/*
 * A small database as SQLite and others are built: a pager with a cache, a log with sequence numbers, a tree of pages.  Beside the work it
 * keeps statistics, time stamps, log sequence numbers in page headers and fields for debugging, which nothing that runs here looks at.
 * -DFAULTY: what is found under the latch is used after it was released.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGES  4 /* of the database */
#define FRAMES 3 /* of the cache */
#define KEYS   4 /* of a page */
#ifndef THREADS
#define THREADS 2
#endif

enum kind { LEAF, INNER };

struct page {
        struct {
                unsigned lsn; /* of the last change: for recovery */
                unsigned changes, version;
                int last_thread; /* for debugging */
        } header;
        int n, key[KEYS], child[KEYS];
        enum kind kind;
};

struct frame {
        int number, pins, dirty;
        unsigned stamp; /* when it was last used: for reports */
        unsigned hits;
        struct page *page;
};

struct statistics {
        unsigned long reads, writes, hits, misses, bytes, splits, waits;
        unsigned long longest, depth, compared;
        struct timespec last;
};

static struct page disk[PAGES];
static struct frame cache[FRAMES];
static struct statistics stats;
static struct {
        unsigned lsn;
        struct {
                unsigned lsn, page, operation, thread;
        } record[8];
        unsigned written;
} wal;
static pthread_mutex_t latch = PTHREAD_MUTEX_INITIALIZER, log_latch = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned long operations, active, peak;
static unsigned tick;
static int trace;

static void note_time(void)
{
        clock_gettime(CLOCK_MONOTONIC, &stats.last);
}

/* The log: its sequence numbers go to pages. */
static unsigned log_change(unsigned page, unsigned operation, unsigned thread)
{
        pthread_mutex_lock(&log_latch);
        unsigned lsn = ++wal.lsn;
        unsigned at = thread % 8;
        wal.record[at].lsn = lsn;
        wal.record[at].page = page;
        wal.record[at].operation = operation;
        wal.record[at].thread = thread;
        wal.written += sizeof wal.record[0];
        pthread_mutex_unlock(&log_latch);
        return lsn;
}

static struct frame *pin(int number)
{
        struct frame *free_one = NULL;

        for (int i = 0; i < FRAMES; i++) {
                struct frame *f = &cache[i];
                if (f->page && f->number == number) {
                        f->pins++;
                        f->hits++;
                        f->stamp = ++tick;
                        stats.hits++;
                        return f;
                }
                if (!f->pins)
                        free_one = f;
        }
        stats.misses++;
        if (!free_one)
                return NULL;
        if (!free_one->page)
                free_one->page = malloc(sizeof *free_one->page);
        if (!free_one->page)
                abort();
        if (free_one->dirty) {
                disk[free_one->number] = *free_one->page;
                stats.writes++;
                stats.bytes += sizeof(struct page);
                free_one->dirty = 0;
        }
        *free_one->page = disk[number];
        free_one->number = number;
        free_one->pins = 1;
        free_one->hits = 0;
        free_one->stamp = ++tick;
        stats.reads++;
        stats.bytes += sizeof(struct page);
        return free_one;
}

static void unpin(struct frame *f)
{
        f->pins--;
        f->stamp = ++tick;
}

static int find_leaf(int key)
{
        struct frame *root = pin(0);
        int leaf;

        assert(root && root->page->kind == INNER);
        for (leaf = 0; leaf + 1 < root->page->n && key >= root->page->key[leaf]; leaf++)
                stats.compared++;
        stats.depth += 2;
        leaf = root->page->child[leaf];
        unpin(root);
        return leaf;
}

static void insert(int key, unsigned thread)
{
        operations++;
        unsigned long now = atomic_fetch_add(&active, 1) + 1;
        atomic_store(&peak, now);
        pthread_mutex_lock(&latch);
        note_time();
        int number = find_leaf(key);
        struct frame *f = pin(number);
        assert(f && f->page->kind == LEAF);
        int at = f->page->n;
#ifdef FAULTY
        stats.waits++;
        pthread_mutex_unlock(&latch);
        f->page->header.lsn = log_change((unsigned)number, 1, thread);
        pthread_mutex_lock(&latch);
#else
        f->page->header.lsn = log_change((unsigned)number, 1, thread);
#endif
        assert(at < KEYS);
        f->page->key[at] = key;
        f->page->n = at + 1;
        f->page->header.changes++;
        f->page->header.version += f->page->header.changes;
        f->page->header.last_thread = (int)thread;
        f->dirty = 1;
        stats.longest += stats.hits;
        unpin(f);
        pthread_mutex_unlock(&latch);
        atomic_fetch_sub(&active, 1);
}

static int lookup(int key)
{
        int found = 0;

        operations++;
        pthread_mutex_lock(&latch);
        struct frame *f = pin(find_leaf(key));
        assert(f);
        for (int i = 0; i < f->page->n; i++) {
                found += f->page->key[i] == key;
                stats.compared++;
        }
        unpin(f);
        pthread_mutex_unlock(&latch);
        return found;
}

static void *client(void *arg)
{
        unsigned me = (unsigned)(unsigned long)arg;

        insert((int)me, me);
        return arg;
}

int main(void)
{
        pthread_t t[THREADS];

        disk[0] = (struct page){.n = 2, .key = {10}, .child = {1, 2}, .kind = INNER};
        for (unsigned long i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, client, (void *)(i + 1));
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        for (int i = 0; i < THREADS; i++)
                assert(lookup(i + 1) == 1);
        for (int i = 0; i < FRAMES; i++)
                free(cache[i].page);
        return trace;
}
