/* N threads with neighbouring variables: more states than executions. */
#include <pthread.h>

static int counts[N];

static void *worker(void *arg)
{
        ++*(int *)arg;
        return 0;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], 0, worker, &counts[i]);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], 0);
        return 0;
}
