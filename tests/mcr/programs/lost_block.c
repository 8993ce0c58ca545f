/* Which block is lost in the end depends on the order of two stores that nothing reads.  ATOMIC: and they are no data race. */
#include <pthread.h>
#include <stdlib.h>

#ifdef ATOMIC
static void *_Atomic p;
#else
static void *p;
#endif

static void *one(void *arg)
{
        p = malloc(8);
        return arg;
}

static void *two(void *arg)
{
        p = NULL;
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, 0, two, 0);
        pthread_create(&u, 0, one, 0);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}
