/* Executions that never end: two count forever, in the open, or (QUIET) with few visible operations. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void *count(void *arg)
{
        for (long n = 0;; n++)
#ifdef QUIET
                if (n % 1000000 == 0)
#endif
                        atomic_fetch_add(&x, 1);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, count, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
