/* The exit status depends on the schedule. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *arg)
{
        atomic_store(&x, 3);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        int seen;

        pthread_create(&thread, NULL, worker, NULL);
        seen = atomic_load(&x);
        pthread_join(thread, NULL);
        return seen;
}
