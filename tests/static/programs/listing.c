/* Listing 4.1 of Huang's thesis: reads that nothing depends on.  Its figures: MCR 3 executions, MCR-S 4, MCR-S+ 3. */
#include <pthread.h>

static volatile int x;

static void *writes(void *arg)
{
        x = 1;
        return arg;
}

static void *reads(void *arg)
{
        int r1 = x;
        int r2 = x;

        (void)r1;
        (void)r2;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, writes, NULL);
        pthread_create(&t[1], NULL, reads, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
