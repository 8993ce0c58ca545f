/* A log-structured store: writers append to a segment, and a compactor copies what is live to a new one.  It takes the lock of
 * the index while it holds that of the log; a writer that finds its segment full takes them in the other order. */
#include <assert.h>
#include <pthread.h>

#define SEGMENT 4
#define KEYS    3
#ifndef WRITERS
#define WRITERS 3
#endif

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER, index_lock = PTHREAD_MUTEX_INITIALIZER;
static struct record {
        int key, value;
} segment[SEGMENT * 4];
static int used, start, where[KEYS];

static int append(int key, int value)
{
        segment[used] = (struct record){key, value};
        return used++;
}

static void put(int key, int value)
{
        int at, full;

        pthread_mutex_lock(&log_lock);
        at = append(key, value);
        full = used - start > SEGMENT;
        pthread_mutex_unlock(&log_lock);
        pthread_mutex_lock(&index_lock);
        if (full) {
                pthread_mutex_lock(&log_lock);
                start = used - SEGMENT;
                pthread_mutex_unlock(&log_lock);
        }
        where[key] = at;
        pthread_mutex_unlock(&index_lock);
}

static void *writer(void *arg)
{
        put((int)(long)arg, 1);
        put((int)(long)arg, 2);
        return NULL;
}

static void *compactor(void *arg)
{
        pthread_mutex_lock(&log_lock);
        pthread_mutex_lock(&index_lock);
        for (int k = 0; k < KEYS; k++)
                if (where[k] && where[k] < start)
                        where[k] = append(k, segment[where[k]].value);
        pthread_mutex_unlock(&index_lock);
        pthread_mutex_unlock(&log_lock);
        return arg;
}

int main(void)
{
        pthread_t t[WRITERS + 1];

        used = 1;
        for (long i = 0; i < WRITERS; i++)
                pthread_create(&t[i], NULL, writer, (void *)i);
        pthread_create(&t[WRITERS], NULL, compactor, NULL);
        for (int i = 0; i <= WRITERS; i++)
                pthread_join(t[i], NULL);
        for (int k = 0; k < WRITERS; k++)
                assert(segment[where[k]].key == k);
        return 0;
}
