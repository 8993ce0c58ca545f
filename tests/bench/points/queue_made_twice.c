/*
 * Two producers and two consumers with a bounded queue, which the first that needs it makes, and with a count of what is under
 * way.  Whether it was made is checked without the lock: two may make one each, and what went into the first is lost.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define EACH 3
#define ROOM 2

struct queue {
        pthread_mutex_t lock;
        pthread_cond_t more, less;
        int items[ROOM], n;
};

static struct queue *queue;
static int made;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static int put_total, got_total;

static struct queue *the_queue(void)
{
#ifdef FIXED
        pthread_mutex_lock(&making);
#endif
        if (!made) {
#ifndef FIXED
                pthread_mutex_lock(&making);
#endif
                struct queue *q = calloc(1, sizeof *q);
                pthread_mutex_init(&q->lock, NULL);
                pthread_cond_init(&q->more, NULL);
                pthread_cond_init(&q->less, NULL);
                queue = q;
                made = 1;
#ifndef FIXED
                pthread_mutex_unlock(&making);
#endif
        }
#ifdef FIXED
        pthread_mutex_unlock(&making);
#endif
        return queue;
}

static void add(int *total, int v)
{
        pthread_mutex_lock(&total_lock);
        *total += v;
        pthread_mutex_unlock(&total_lock);
}

static void *producer(void *arg)
{
        struct queue *q = the_queue();

        for (int i = 1; i <= EACH; i++) {
                pthread_mutex_lock(&q->lock);
                while (q->n == ROOM)
                        pthread_cond_wait(&q->less, &q->lock);
                q->items[q->n++] = i;
                pthread_cond_signal(&q->more);
                pthread_mutex_unlock(&q->lock);
                add(&put_total, i);
        }
        return arg;
}

static void *consumer(void *arg)
{
        struct queue *q = the_queue();

        for (int i = 1; i <= EACH; i++) {
                int v;
                pthread_mutex_lock(&q->lock);
                while (!q->n)
                        pthread_cond_wait(&q->more, &q->lock);
                v = q->items[--q->n];
                pthread_cond_signal(&q->less);
                pthread_mutex_unlock(&q->lock);
                add(&got_total, v);
        }
        return arg;
}

int main(void)
{
        pthread_t t[4];

        for (int i = 0; i < 4; i++)
                pthread_create(&t[i], NULL, i % 2 ? consumer : producer, NULL);
        for (int i = 0; i < 4; i++)
                pthread_join(t[i], NULL);
        assert(put_total == got_total);
        return 0;
}
