/* Statistics and a log beside the work: nothing depends on their values. */
#include <assert.h>
#include <pthread.h>

#define N 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static struct {
        unsigned calls, bytes, last;
} statistics;
static struct {
        unsigned sequence, thread;
} log_buffer[4];
static unsigned log_sequence;

static void log_event(unsigned thread)
{
        unsigned n = log_sequence;

        log_sequence = n + 1;
        log_buffer[thread].sequence = n;
        log_buffer[thread].thread = thread;
}

static void *worker(void *arg)
{
        unsigned me = (unsigned)(unsigned long)arg;

        for (int i = 0; i < N; i++) {
                pthread_mutex_lock(&lock);
                statistics.calls++;
                statistics.bytes += statistics.calls;
                statistics.last = statistics.bytes;
                pthread_mutex_unlock(&lock);
        }
        pthread_mutex_lock(&lock);
        log_event(me);
        total++;
        pthread_mutex_unlock(&lock);
        return 0;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, worker, (void *)1);
        pthread_create(&b, 0, worker, (void *)2);
        pthread_join(a, 0);
        pthread_join(b, 0);
        assert(total == 2);
        return 0;
}
