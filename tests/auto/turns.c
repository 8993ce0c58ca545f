/* Two threads that each take a lock N times: few states, many orders.  */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *take(void *arg)
{
        for (int i = 0; i < N; i++) {
                pthread_mutex_lock(&lock);
                count++;
                pthread_mutex_unlock(&lock);
        }
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, take, NULL);
        pthread_create(&b, NULL, take, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(count == 2 * N);
        return 0;
}
