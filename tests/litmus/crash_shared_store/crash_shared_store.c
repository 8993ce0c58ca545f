/* Two threads store to where there is no memory: the place is shared, and its value cannot be read. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int box;

static void *work(void *arg)
{
        if (atomic_load(&box) == 0)
                *(volatile int *)arg = 1;
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, work, (void *)PLACE);
        atomic_store(&box, 1);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
