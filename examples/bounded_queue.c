/*
 * A queue of limited size between two producers and a consumer: one mutex, two condition variables.  Correct.  Try what
 * heddle says when a `while` becomes an `if`, or when both sides share one condition variable (-DONE_CONDITION): a
 * signal then wakes the wrong thread, and everybody sleeps.
 *
 *     heddle check examples/bounded_queue.c
 *     heddle check -DONE_CONDITION examples/bounded_queue.c
 */
#include <assert.h>
#include <pthread.h>

#define SIZE 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define not_empty not_full
#else
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#endif
static int items[SIZE], count;

static void put(int item)
{
        pthread_mutex_lock(&lock);
        while (count == SIZE)
                pthread_cond_wait(&not_full, &lock);
        items[count++] = item;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
}

static int get(void)
{
        pthread_mutex_lock(&lock);
        while (count == 0)
                pthread_cond_wait(&not_empty, &lock);
        int item = items[--count];
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
        return item;
}

static void *producer(void *item)
{
        put(*(int *)item);
        return NULL;
}

static void *consumer(void *sum)
{
        *(int *)sum += get();
        return NULL;
}

int main(void)
{
        pthread_t p[2], c[2];
        int one = 1, two = 2, sum[2] = {0, 0};

        pthread_create(&c[0], NULL, consumer, &sum[0]);
        pthread_create(&c[1], NULL, consumer, &sum[1]);
        pthread_create(&p[0], NULL, producer, &one);
        pthread_create(&p[1], NULL, producer, &two);
        for (int i = 0; i < 2; i++) {
                pthread_join(p[i], NULL);
                pthread_join(c[i], NULL);
        }
        assert(sum[0] + sum[1] == 3);
        return 0;
}
