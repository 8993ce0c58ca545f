/* A thread pool with WORKERS workers, which count the jobs that are done without the mutex. */
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 8
#endif
#define JOBS 6

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int queue[JOBS], head, tail, closed, done, idle;

static void *worker(void *arg)
{
        for (;;) {
                pthread_mutex_lock(&m);
                while (head == tail && !closed) {
                        idle++;
                        pthread_cond_wait(&more, &m);
                        idle--;
                }
                if (head == tail) {
                        pthread_mutex_unlock(&m);
                        return arg;
                }
                int job = queue[head++];
                pthread_mutex_unlock(&m);
                done += job; /* not under the mutex */
        }
}

int main(void)
{
        pthread_t t[WORKERS];

        for (int i = 0; i < WORKERS; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        for (int i = 0; i < JOBS; i++) {
                pthread_mutex_lock(&m);
                queue[tail++] = 1;
                pthread_cond_signal(&more);
                pthread_mutex_unlock(&m);
        }
        pthread_mutex_lock(&m);
        closed = 1;
        pthread_cond_broadcast(&more);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < WORKERS; i++)
                pthread_join(t[i], NULL);
        assert(done == JOBS);
        return 0;
}
