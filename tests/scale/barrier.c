/*
 * The reusable barrier of appendix A.4 of Florian's SCALE thesis: N threads (main is one of them) meet STEPS times.  A
 * meeting has two halves, in the first of which the threads gather and in the second of which they leave.
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#ifndef STEPS
#define STEPS 1
#endif

static pthread_mutex_t lock;
static pthread_cond_t turn;
static int gathered, phase;
static int meetings;

static void gather(void)
{
        pthread_mutex_lock(&lock);
        gathered++;
        if (gathered == N) {
                phase = 1;
                meetings++;
                pthread_cond_broadcast(&turn);
        } else {
                while (phase == 0)
                        pthread_cond_wait(&turn, &lock);
        }
        pthread_mutex_unlock(&lock);
}

static void leave(void)
{
        pthread_mutex_lock(&lock);
        gathered--;
        if (gathered == 0) {
                phase = 0;
                pthread_cond_broadcast(&turn);
        } else {
                while (phase == 1)
                        pthread_cond_wait(&turn, &lock);
        }
        pthread_mutex_unlock(&lock);
}

static void *walk(void *arg)
{
        (void)arg;
        for (int step = 0; step < STEPS; step++) {
                gather();
                leave();
        }
        return NULL;
}

int main(void)
{
        pthread_t threads[N];

        pthread_mutex_init(&lock, NULL);
        pthread_cond_init(&turn, NULL);
        for (int i = 1; i < N; i++)
                pthread_create(&threads[i], NULL, walk, NULL);
        walk(NULL);
        for (int i = 1; i < N; i++)
                pthread_join(threads[i], NULL);
        assert(meetings == STEPS && gathered == 0);
        pthread_mutex_destroy(&lock);
        pthread_cond_destroy(&turn);
        return 0;
}
