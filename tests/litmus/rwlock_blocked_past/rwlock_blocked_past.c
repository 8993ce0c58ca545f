/* A writer that comes after the reader whose lock it waits for cannot come before the other reader alone. */
#include <pthread.h>

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;

static void *t3(void *a)
{
        if (pthread_mutex_trylock(&m) == 0) {
                pthread_rwlock_unlock(&rw);
                pthread_mutex_unlock(&m);
        } else {
                pthread_rwlock_wrlock(&rw);
                x++;
                pthread_rwlock_unlock(&rw);
        }
        return a;
}

static void *t2(void *a)
{
        pthread_rwlock_rdlock(&rw);
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        pthread_rwlock_unlock(&rw);
        return a;
}

static void *t1(void *a)
{
        pthread_rwlock_rdlock(&rw);
        (void)x;
        pthread_rwlock_unlock(&rw);
        return a;
}

int main(void)
{
        pthread_t a, b, c;

        pthread_create(&a, 0, t1, 0);
        pthread_create(&b, 0, t2, 0);
        pthread_create(&c, 0, t3, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        pthread_join(c, 0);
        return 0;
}
