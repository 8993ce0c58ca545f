/* Holds a read-write lock and a spinlock. */
#include <pthread.h>

pthread_rwlock_t guard = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
int inner;

void inside(void)
{
        inner++;
}

static void *other(void *arg)
{
        pthread_rwlock_rdlock(&guard);
        pthread_rwlock_unlock(&guard);
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
        pthread_create(&t, NULL, other, NULL);
        pthread_rwlock_wrlock(&guard);
        pthread_spin_lock(&spin);
        inside();
        pthread_spin_unlock(&spin);
        pthread_rwlock_unlock(&guard);
        pthread_join(t, NULL);
        return 0;
}
