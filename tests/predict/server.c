/*
 * A server: a thread that accepts requests and 15 workers that serve them from a table with a lock for each bucket.  It has 43 * REQUESTS
 * events and more.  Workers count some requests without a lock, which is a data race.
 */
#include <pthread.h>
#include <stdlib.h>

#ifndef REQUESTS
#define REQUESTS 11000
#endif
#define WORKERS 15
#define BUCKETS 64

struct request {
        int key, value;
        struct request *next;
};

static struct bucket {
        pthread_mutex_t mutex;
        int n, sum, last;
} table[BUCKETS];

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER, served_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static struct request *queue;
static int pending, closed, served, bytes, special;

static void serve(const struct request *r)
{
        struct bucket *b = &table[r->key % BUCKETS];

        pthread_mutex_lock(&b->mutex);
        for (int i = 0; i < 8; i++) {
                b->n++;
                b->sum += r->value;
                b->last = r->key;
        }
        pthread_mutex_unlock(&b->mutex);
        pthread_mutex_lock(&served_mutex);
        served++;
        bytes += r->value;
        pthread_mutex_unlock(&served_mutex);
        if (r->key % 97 == 0)
                special++;
}

static struct request *take(void)
{
        struct request *r;

        pthread_mutex_lock(&queue_mutex);
        while (!queue && !closed)
                pthread_cond_wait(&queue_filled, &queue_mutex);
        r = queue;
        if (r) {
                queue = r->next;
                pending--;
        }
        pthread_mutex_unlock(&queue_mutex);
        return r;
}

static void *worker(void *arg)
{
        struct request *r;

        while ((r = take())) {
                serve(r);
                free(r);
        }
        return arg;
}

static void put(int i)
{
        struct request *r = malloc(sizeof *r);

        r->key = 7 * i;
        r->value = i;
        pthread_mutex_lock(&queue_mutex);
        r->next = queue;
        queue = r;
        pending++;
        pthread_cond_signal(&queue_filled);
        pthread_mutex_unlock(&queue_mutex);
}

int main(void)
{
        pthread_t t[WORKERS];

        for (int i = 0; i < BUCKETS; i++)
                pthread_mutex_init(&table[i].mutex, NULL);
        for (int i = 0; i < WORKERS; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        for (int i = 0; i < REQUESTS; i++)
                put(i);
        pthread_mutex_lock(&queue_mutex);
        closed = 1;
        pthread_cond_broadcast(&queue_filled);
        pthread_mutex_unlock(&queue_mutex);
        for (int i = 0; i < WORKERS; i++)
                pthread_join(t[i], NULL);
        return served != REQUESTS;
}
