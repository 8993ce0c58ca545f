/* Main waits long for the end of a worker, and another waits for a token that comes: no thread is starved. */
#include <pthread.h>
#include <semaphore.h>

static sem_t token;
static int x;

static void *worker(void *arg)
{
        for (int i = 0; i < 12; i++)
                __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
        sem_post(&token);
        for (int i = 0; i < 12; i++)
                __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
        return arg;
}

static void *waiter(void *arg)
{
        sem_wait(&token);
        __atomic_load_n(&x, __ATOMIC_SEQ_CST);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, worker, NULL);
        pthread_create(&t[1], NULL, waiter, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
