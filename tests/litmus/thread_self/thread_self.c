/* A thread knows itself, and its creator knows it by the same name. */
#include <assert.h>
#include <pthread.h>

static pthread_t seen[2];

static void *worker(void *arg)
{
        *(pthread_t *)arg = pthread_self();
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, worker, &seen[0]);
        pthread_create(&b, NULL, worker, &seen[1]);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(pthread_equal(a, seen[0]) && pthread_equal(b, seen[1]));
        assert(!pthread_equal(seen[0], seen[1]) && !pthread_equal(seen[0], pthread_self()));
        return 0;
}
