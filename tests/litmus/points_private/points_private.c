/* With --preempt sync: a preemption point at an operation that no other thread can observe lies before the next access that others can. */
#include "../litmus.h"

int x, r;

static void *writer(void *arg)
{
        pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;

        (void)arg;
        x = 1;
        pthread_mutex_lock(&own);
        x = 2;
        pthread_mutex_unlock(&own);
        return NULL;
}

static void *reader(void *arg)
{
        (void)arg;
        r = x;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
