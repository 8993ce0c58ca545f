/*
 * A pool of three workers that begin together and take jobs from a queue.  A worker takes its slot in the table of results
 * when it starts, and two may take the same one: then a result may be lost, long after it went wrong.
 */
#include <assert.h>
#include <pthread.h>

#define WORKERS 3
#define JOBS    4

struct pool {
        pthread_mutex_t lock;
        pthread_cond_t work;
        int queue[JOBS], head, tail, closed;
        int workers;          /* that have started */
        int results[WORKERS]; /* of each */
};

static pthread_barrier_t ready;
static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

/* The next job, or 0 at the end. */
static int take(void)
{
        int job = 0;

        pthread_mutex_lock(&pool.lock);
        while (pool.head == pool.tail && !pool.closed)
                pthread_cond_wait(&pool.work, &pool.lock);
        if (pool.head != pool.tail)
                job = pool.queue[pool.head++];
        pthread_mutex_unlock(&pool.lock);
        return job;
}

static void *worker(void *arg)
{
        int slot, job, sum = 0;

#ifdef FIXED
        slot = __atomic_fetch_add(&pool.workers, 1, __ATOMIC_SEQ_CST);
#else
        slot = pool.workers;
        pool.workers = slot + 1;
#endif
        pthread_barrier_wait(&ready);
        while ((job = take()) != 0)
                sum += job;
        pool.results[slot] = sum;
        return arg;
}

int main(void)
{
        pthread_t t[WORKERS];
        int sum = 0;

        pthread_barrier_init(&ready, NULL, WORKERS);
        for (int i = 0; i < WORKERS; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        for (int i = 0; i < JOBS; i++) {
                pthread_mutex_lock(&pool.lock);
                pool.queue[pool.tail++] = i + 1;
                pthread_cond_signal(&pool.work);
                pthread_mutex_unlock(&pool.lock);
        }
        pthread_mutex_lock(&pool.lock);
        pool.closed = 1;
        pthread_cond_broadcast(&pool.work);
        pthread_mutex_unlock(&pool.lock);
        for (int i = 0; i < WORKERS; i++)
                pthread_join(t[i], NULL);
        for (int i = 0; i < WORKERS; i++)
                sum += pool.results[i];
        assert(sum == JOBS * (JOBS + 1) / 2);
        return 0;
}
