#include <pthread.h>

void count(void *object);
static long object, other;

static void *worker(void *arg)
{
        count(&object);
        other++;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
