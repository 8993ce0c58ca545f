/*
 * The producer and the consumer of appendix A.5 of Florian's SCALE thesis, over semaphores made of a mutex and a
 * condition variable.
 *
 * The bug: the consumer asserts that it comes first.  With the consumer in main and one element, tools that always let
 * the creating thread continue before the created one miss it.  SWAP puts the producer in main.
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif
#ifndef SWAP
#define SWAP 0
#endif

enum { ROOM = 2 };

struct counter {
        pthread_mutex_t lock;
        pthread_cond_t positive;
        int value; /* below zero: that many wait */
        int pass;  /* one waiter may go */
};

static struct counter items, spaces;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned fill;
static unsigned char buffer[ROOM];

static void counter_init(struct counter *c, int value)
{
        pthread_mutex_init(&c->lock, NULL);
        pthread_cond_init(&c->positive, NULL);
        c->value = value;
        c->pass = 0;
}

static void counter_down(struct counter *c)
{
        pthread_mutex_lock(&c->lock);
        c->value--;
        if (c->value < 0) {
                while (c->pass == 0)
                        pthread_cond_wait(&c->positive, &c->lock);
                c->pass = 0;
        }
        pthread_mutex_unlock(&c->lock);
}

static void counter_up(struct counter *c)
{
        pthread_mutex_lock(&c->lock);
        c->value++;
        if (c->value <= 0) {
                c->pass = 1;
                pthread_cond_signal(&c->positive);
        }
        pthread_mutex_unlock(&c->lock);
}

static void *producer(void *arg)
{
        (void)arg;
        for (int i = 0; i < N; i++) {
                counter_down(&spaces);
                pthread_mutex_lock(&lock);
                buffer[i % ROOM] = (unsigned char)i;
                fill++;
                pthread_mutex_unlock(&lock);
                counter_up(&items);
        }
        return NULL;
}

static void *consumer(void *arg)
{
        (void)arg;
        assert(fill == 0);
        for (int i = 0; i < N; i++) {
                unsigned char item;

                counter_down(&items);
                pthread_mutex_lock(&lock);
                item = buffer[i % ROOM];
                fill--;
                assert(item == (unsigned char)i);
                pthread_mutex_unlock(&lock);
                counter_up(&spaces);
        }
        return NULL;
}

int main(void)
{
        pthread_t thread;

        counter_init(&items, 0);
        counter_init(&spaces, ROOM);
        pthread_create(&thread, NULL, SWAP ? consumer : producer, NULL);
        if (SWAP)
                producer(NULL);
        else
                consumer(NULL);
        pthread_join(thread, NULL);
        return 0;
}
