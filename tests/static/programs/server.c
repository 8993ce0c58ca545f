/*
 * A server: workers take requests from a queue.  Beside that it measures: counters for each worker and for all, times, a log of what
 * was done with sequence numbers, names and states for a debugger.  Nothing that runs here looks at them: dump() needs DUMP.
 * -DFAULTY: whether the queue is empty is asked before the lock is taken.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WORKERS  2
#define REQUESTS 2
#define LOG      8

struct request {
        int number, done;
        struct request *next;
        struct timespec queued, started;
        unsigned waited;
};

struct worker {
        unsigned long served, idle, bytes, busiest;
        unsigned last_request;
        enum { STARTS, WAITS, SERVES, ENDS } state;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct request *first;
static struct worker workers[WORKERS];
static struct {
        unsigned long requests, served, longest_queue, queue, bytes, errors, average;
        struct timespec last;
} totals;
static struct {
        unsigned long sequence;
        struct entry {
                unsigned long sequence;
                unsigned worker, request;
                struct timespec at;
        } entry[LOG];
} history;
static _Atomic unsigned long in_flight, most_in_flight;

static void log_request(unsigned worker, unsigned request)
{
        pthread_mutex_lock(&log_lock);
        struct entry *e = &history.entry[worker * 4 + request];
        e->sequence = history.sequence++;
        e->worker = worker;
        e->request = request;
        clock_gettime(CLOCK_MONOTONIC, &e->at);
        pthread_mutex_unlock(&log_lock);
}

static void add(struct request *r)
{
        pthread_mutex_lock(&lock);
        r->next = first;
        first = r;
        totals.requests++;
        totals.queue++;
        totals.longest_queue |= totals.queue;
        pthread_mutex_unlock(&lock);
}

static struct request *take(struct worker *w)
{
#ifdef FAULTY
        struct request *r = first;

        if (!r)
                return NULL;
        pthread_mutex_lock(&lock);
#else
        pthread_mutex_lock(&lock);
        struct request *r = first;
#endif
        w->state = r ? SERVES : WAITS;
        if (r) {
                first = r->next;
                totals.queue--;
                w->bytes += sizeof *r;
                w->busiest = w->bytes + totals.queue;
        } else {
                w->idle++;
        }
        pthread_mutex_unlock(&lock);
        return r;
}

static void *work(void *arg)
{
        struct worker *w = arg;

        for (struct request *r; (r = take(w));) {
                unsigned long now = atomic_fetch_add(&in_flight, 1) + 1;
                most_in_flight = most_in_flight + now;
                r->done++;
                log_request((unsigned)(w - workers), (unsigned)r->number);
                w->served++;
                w->last_request = (unsigned)r->number;
                pthread_mutex_lock(&lock);
                totals.served++;
                totals.bytes += sizeof *r;
                totals.average = totals.bytes + totals.served;
                pthread_mutex_unlock(&lock);
                atomic_fetch_sub(&in_flight, 1);
        }
        w->state = ENDS;
        return NULL;
}

#ifdef DUMP
static void dump(void)
{
        printf("%lu requests, %lu served, queue %lu, %lu bytes, average %lu\n", totals.requests, totals.served,
               totals.longest_queue, totals.bytes, totals.average);
        for (int i = 0; i < WORKERS; i++)
                printf("worker %d: %lu served, %lu idle\n", i, workers[i].served, workers[i].idle);
}
#endif

int main(void)
{
        static struct request requests[REQUESTS];
        pthread_t t[WORKERS];

        for (int i = 0; i < REQUESTS; i++) {
                requests[i].number = i;
                add(&requests[i]);
        }
        for (int i = 0; i < WORKERS; i++)
                pthread_create(&t[i], NULL, work, &workers[i]);
        for (int i = 0; i < WORKERS; i++)
                pthread_join(t[i], NULL);
        for (int i = 0; i < REQUESTS; i++)
                assert(requests[i].done == 1);
#ifdef DUMP
        if (getenv("DUMP"))
                dump();
#endif
        return 0;
}
