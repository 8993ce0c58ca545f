/*
 * The thread pool of appendix A.3 of Florian's SCALE thesis: N workers, one job, then the pool is told to stop.  The job
 * may be run by any worker or by none; there is no deadlock.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

struct job {
        void (*run)(void);
        struct job *next;
};

static pthread_mutex_t lock;
static pthread_cond_t work;
static struct job *head, *tail;
static bool stopping;
static int idle;
static int runs;

/* The lock is held, and there is a job. */
static void (*take_job(void))(void)
{
        struct job *job = head;
        void (*run)(void) = job->run;

        head = job->next;
        if (head == NULL)
                tail = NULL;
        free(job);
        return run;
}

static void add_job(void (*run)(void))
{
        struct job *job = malloc(sizeof *job);

        assert(job != NULL);
        job->run = run;
        job->next = NULL;
        pthread_mutex_lock(&lock);
        if (tail == NULL) {
                assert(head == NULL);
                head = job;
        } else {
                tail->next = job;
        }
        tail = job;
        if (idle > 0)
                pthread_cond_signal(&work);
        pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
        (void)arg;
        for (;;) {
                void (*run)(void);

                pthread_mutex_lock(&lock);
                while (head == NULL && !stopping) {
                        idle++;
                        pthread_cond_wait(&work, &lock);
                        idle--;
                }
                if (stopping) {
                        pthread_mutex_unlock(&lock);
                        return NULL;
                }
                run = take_job();
                pthread_mutex_unlock(&lock);
                run();
        }
}

static void hello(void)
{
        runs++;
}

int main(void)
{
        pthread_t threads[N];

        pthread_mutex_init(&lock, NULL);
        pthread_cond_init(&work, NULL);
        for (int i = 0; i < N; i++)
                pthread_create(&threads[i], NULL, worker, NULL);
        add_job(hello);
        pthread_mutex_lock(&lock);
        stopping = true;
        pthread_cond_broadcast(&work);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < N; i++)
                pthread_join(threads[i], NULL);
        assert(runs <= 1 && runs == (head == NULL));
        assert(idle == 0);
        pthread_mutex_destroy(&lock);
        pthread_cond_destroy(&work);
        return 0;
}
