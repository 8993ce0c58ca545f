/* Two readers that never let go, one that does, and a writer: it may come after that one and before the two. */
#include "../litmus.h"

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *writes(void *arg)
{
        pthread_rwlock_wrlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

static void *reads(void *arg)
{
        pthread_rwlock_rdlock(&rw);
        pthread_rwlock_unlock(&rw);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, keeps, NULL);
        pthread_create(&t[1], NULL, writes, NULL);
        pthread_create(&t[2], NULL, reads, NULL);
        pthread_mutex_lock(&m);
        if (pthread_rwlock_tryrdlock(&rw) == 0)
                pthread_mutex_lock(&m); /* for good, with both locks held */
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
