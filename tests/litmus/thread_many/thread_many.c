/* Thirty threads, never two at a time. */
#include <assert.h>
#include <pthread.h>

static __thread int mine = 7;
static int total;

static void *worker(void *arg)
{
        assert(mine == 7);
        mine = 8;
        total++;
        return NULL;
}

int main(void)
{
        for (int i = 0; i < 30; i++) {
                pthread_t thread;

                pthread_create(&thread, NULL, worker, NULL);
                pthread_join(thread, NULL);
        }
        assert(total == 30 && mine == 7);
        return 0;
}
