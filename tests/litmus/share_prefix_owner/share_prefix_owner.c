/* Each cell belongs to the thread that draws its number, another one in other executions: owners of memory are put back, too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared, next;
static long cell[4];

static void *before(void *arg)
{
        (void)arg;
        for (int i = 0; i < 300; i++)
                atomic_store(&shared, i);
        return NULL;
}

static void *work(void *arg)
{
        (void)arg;
        for (int i = 0; i < 2; i++) {
                long *mine = &cell[atomic_fetch_add(&next, 1)];

                assert(*mine == 0);
                *mine = 1;
        }
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, before, NULL);
        (void)atomic_load(&shared);
        pthread_join(t[0], NULL);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, work, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
