/* Long executions that differ in their last transitions: they continue from a waypoint. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int shared, last[4];
static int *block, sum;

static void *before(void *arg)
{
        (void)arg;
        for (int i = 0; i < 1500; i++)
                atomic_store(&shared, i);
        return NULL;
}

static void *work(void *arg)
{
        int id = (int)(long)arg;

        for (int i = 0; i < 4; i++)
                block[id] += atomic_fetch_add(&last[i], 1);
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, before, NULL);
        (void)atomic_load(&shared);
        pthread_join(t[0], NULL);
        assert(atomic_load(&shared) == 1499);
        block = calloc(2, sizeof *block);
        for (long i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, work, (void *)i);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        sum = block[0] + block[1];
        free(block);
        assert(sum == 4);
        return 0;
}
