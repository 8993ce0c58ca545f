/*
 * All that an execution changes must be put back when another continues from its middle: data, heap, stacks, thread-local
 * variables, locks, and what waits at a condition variable.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static __thread int mine;
static int *list[2], sum, waits, order;

static void *work(void *arg)
{
        int id = (int)(long)arg;
        int local[64] = {id};

        for (int i = 0; i < 2; i++) {
                pthread_mutex_lock(&m);
                local[i + 1] = ++sum;
                mine++;
                if (!list[id])
                        list[id] = calloc(1, sizeof *list[id]);
                *list[id] += 1;
                order = order * 3 + id + 1;
                if (waits)
                        pthread_cond_signal(&c);
                pthread_mutex_unlock(&m);
        }
        assert(mine == 2 && local[0] == id && local[1] < local[2]);
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        for (long i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, work, (void *)i);
        pthread_mutex_lock(&m);
        waits = 1;
        while (sum < 3)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(sum == 4 && *list[0] + *list[1] == 4);
        free(list[0]);
        free(list[1]);
        return 0;
}
