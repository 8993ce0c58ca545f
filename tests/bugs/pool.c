/* In the shape of the thread pool of McMini's section 5.8: the pool is ended without waiting for its workers, which still use
 * its lock and its queue. */
#include "bugs.h"

struct pool {
        pthread_mutex_t m;
        int stop, done;
};

static struct pool *pool;

static void *worker(void *arg)
{
        struct pool *p = arg;

        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&p->m);
                p->done++;
                int stop = p->stop;
                pthread_mutex_unlock(&p->m);
                if (stop)
                        break;
        }
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        pool = calloc(1, sizeof *pool);
        pthread_mutex_init(&pool->m, NULL);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, worker, pool);
        pthread_mutex_lock(&pool->m);
        pool->stop = 1;
        pthread_mutex_unlock(&pool->m);
#ifdef FIXED
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        pthread_mutex_destroy(&pool->m);
#else
        pthread_mutex_destroy(&pool->m);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
#endif
        return 0;
}
