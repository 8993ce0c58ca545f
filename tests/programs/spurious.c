/*
 * One producer after the other, one consumer that takes `if` for `while` around its wait: wrong only if a wait ends
 * without a signal (McMini, listing 4).  -DWHILE is right.
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif
#ifdef WHILE
#define UNTIL while
#else
#define UNTIL if
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int elements;

static void *consumer(void *arg)
{
        for (;;) {
                pthread_mutex_lock(&lock);
                UNTIL(elements == 0)
                        pthread_cond_wait(&more, &lock);
                pthread_mutex_unlock(&lock);
                pthread_mutex_lock(&lock);
                assert(elements > 0);
                elements--;
                pthread_mutex_unlock(&lock);
        }
        return arg;
}

static void *producer(void *arg)
{
        for (;;) {
                pthread_mutex_lock(&lock);
                elements++;
                pthread_cond_signal(&more);
                pthread_mutex_unlock(&lock);
        }
        return arg;
}

int main(void)
{
        pthread_t threads[N + 1];

        for (int i = 0; i <= N; i++)
                pthread_create(&threads[i], NULL, i < N ? producer : consumer, NULL);
        for (int i = 0; i <= N; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
