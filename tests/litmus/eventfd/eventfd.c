/* An eventfd as a counter that both add to, and as a semaphore; the one made before the threads starts again each time. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, tokens;
int sum;

static void *worker(void *arg)
{
        uint64_t v = 2;

        assert(read(tokens, &v, 8) == 8 && v == 1);
        v = 2;
        assert(write(counter, &v, 8) == 8);
        return NULL;
}

int main(void)
{
        pthread_t t[2];
        uint64_t v;

        counter = eventfd(3, 0);
        tokens = eventfd(2, EFD_SEMAPHORE);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(read(counter, &v, 8) == 8);
        sum = (int)v;
        return 0;
}
