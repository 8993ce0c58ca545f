/*
 * A pool of connections with counts of references.  A thread drops an idle connection: it reads its count without the lock, so that a
 * worker may get it in between.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define CONNECTIONS 4
#define WORKERS     6
#define IDLE        2

struct connection {
        atomic_int refs;
        int healthy;
};

static struct connection *pool[CONNECTIONS];
static pthread_mutex_t mutexes[CONNECTIONS];
static atomic_int served;

static struct connection *get(int i)
{
        struct connection *c;

        pthread_mutex_lock(&mutexes[i]);
        c = pool[i];
        if (c)
                atomic_fetch_add(&c->refs, 1);
        pthread_mutex_unlock(&mutexes[i]);
        return c;
}

static void put(struct connection *c)
{
        if (atomic_fetch_sub(&c->refs, 1) == 1)
                free(c);
}

static void *worker(void *arg)
{
        for (int k = 0; k < 3; k++) {
                struct connection *c = get((int)((long)arg + k) % CONNECTIONS);

                if (!c)
                        continue;
                c->healthy = 1;
                atomic_fetch_add(&served, 1);
                put(c);
        }
        return NULL;
}

static void *drop(void *arg)
{
        struct connection *c = pool[IDLE];

        if (atomic_load(&c->refs) == 1) {
                pthread_mutex_lock(&mutexes[IDLE]);
                pool[IDLE] = NULL;
                pthread_mutex_unlock(&mutexes[IDLE]);
                free(c);
        }
        return arg;
}

int main(void)
{
        pthread_t t[WORKERS + 1];

        for (int i = 0; i < CONNECTIONS; i++) {
                pool[i] = calloc(1, sizeof *pool[i]);
                pool[i]->refs = 1;
                pthread_mutex_init(&mutexes[i], NULL);
        }
        for (long i = 0; i < WORKERS; i++)
                pthread_create(&t[i], NULL, worker, (void *)i);
        pthread_create(&t[WORKERS], NULL, drop, NULL);
        for (int i = 0; i <= WORKERS; i++)
                pthread_join(t[i], NULL);
        for (int i = 0; i < CONNECTIONS; i++)
                if (pool[i])
                        put(pool[i]);
        return 0;
}
