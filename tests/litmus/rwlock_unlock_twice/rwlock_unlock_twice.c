/* A reader unlocks once too often.  That fails and changes nothing: the others see the lock as it was. */
#include "../litmus.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *twice(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *reader(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        x++;
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *writer(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        x = x * 2 + 3;
        pthread_rwlock_unlock(&rw);
        return arg;
}

int main(void)
{
        RUN(twice, reader, writer);
        return 0;
}
