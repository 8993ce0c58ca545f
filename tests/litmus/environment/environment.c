/* What a thread finds in the environment depends on when another one changes it. */
#include <pthread.h>
#include <stdlib.h>

int seen;

static void *sets(void *arg)
{
        setenv("HEDDLE_LITMUS", "1", 1);
        return arg;
}

static void *looks(void *arg)
{
        seen = getenv("HEDDLE_LITMUS") != NULL;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, sets, NULL);
        pthread_create(&b, NULL, looks, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
