/* An object file that was built without heddle, linked into a program that was. */
#include <stdatomic.h>

#ifdef OBJECT
static atomic_int lock;
void object_lock(void);
void object_unlock(void);
void object_add(long *p);
void object_wait(atomic_int *p);
void object_lock(void) { while (atomic_exchange(&lock, 1)); }
void object_unlock(void) { atomic_store_explicit(&lock, 0, memory_order_release); }
void object_add(long *p) { *p += 2; }
void object_wait(atomic_int *p) { while (!atomic_load(p)); }
#else
#include <assert.h>
#include <pthread.h>

void object_lock(void);
void object_unlock(void);
void object_add(long *p);
void object_wait(atomic_int *p);
static long x;
#ifdef WAITS
static atomic_int ready;
#endif

static void *work(void *arg)
{
#ifdef LOCKED
        object_lock();
        x += 2;
        object_unlock();
#elif defined WAITS
        if (arg) {
                x = 2;
                ready = 1;
        } else {
                object_wait(&ready);
                assert(x == 2);
        }
#else
        object_add(&x);
#endif
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, work, NULL);
        pthread_create(&b, NULL, work, &x);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
#ifdef WAITS
        assert(x == 2);
#else
        assert(x == 4);
#endif
        return 0;
}
#endif
