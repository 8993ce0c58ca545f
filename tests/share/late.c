/* Reads one variable of the environment at once, one in the second execution, and one never. */
#include <pthread.h>
#include <stdlib.h>

static int x, seen;

static void *writes(void *arg)
{
        x = 1;
        return arg;
}

static void *reads(void *arg)
{
        if (x == 0 && getenv("HEDDLE_TEST_LATE"))
                seen = 1;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        (void)getenv("HEDDLE_TEST_EARLY");
        pthread_create(&t[0], NULL, writes, NULL);
        pthread_create(&t[1], NULL, reads, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
