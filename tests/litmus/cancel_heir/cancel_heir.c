/*
 * Two waiters are cancelled, one of which has been signalled.  If that one is the first to end, the signal goes to the other,
 * which could have ended before it all the same.
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting;
int order; /* of the ends */

static void ends(void *arg)
{
        order = order * 10 + *(int *)arg;
        pthread_mutex_unlock(&m);
}

static void *waiter(void *arg)
{
        pthread_mutex_lock(&m);
        waiting++;
        pthread_cleanup_push(ends, arg);
        for (;;)
                pthread_cond_wait(&c, &m);
        pthread_cleanup_pop(0);
        return arg;
}

int main(void)
{
        static int numbers[] = {1, 2};
        pthread_t threads[2];
        int n;

        for (int i = 0; i < 2; i++)
                pthread_create(&threads[i], NULL, waiter, &numbers[i]);
        pthread_mutex_lock(&m);
        n = waiting;
        pthread_mutex_unlock(&m);
        if (n == 2) { /* both wait */
                pthread_cond_signal(&c);
                pthread_cancel(threads[1]);
                pthread_cancel(threads[0]);
        }
        if (n != 2)
                return 0;
        for (int i = 0; i < 2; i++)
                pthread_join(threads[i], NULL);
        return 0;
}
