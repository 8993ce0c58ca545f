/* A mutex, or with -DSPIN a spinlock, that one thread takes and another releases. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef SPIN
static pthread_spinlock_t lock;
#define LOCK()   pthread_spin_lock(&lock)
#define UNLOCK() pthread_spin_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK()   pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#endif
static int ready;

static void *release(void *arg)
{
        ready = 1;
        UNLOCK();
        return arg;
}

int main(void)
{
        pthread_t t;

#ifdef SPIN
        pthread_spin_init(&lock, 0);
#endif
        LOCK();
        pthread_create(&t, NULL, release, NULL);
        LOCK();
        assert(ready);
        UNLOCK();
        pthread_join(t, NULL);
        return 0;
}
