/* In the first execution T3 spins at locks that no other thread has used so far, until it lets others run: what can run then is a store
 * buffer alone. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int v, w;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *put(void *arg)
{
        atomic_store_explicit(&v, 1, memory_order_relaxed);
        return arg;
}

static void *poll(void *arg)
{
        int seen = w;

        atomic_store_explicit(&v, 2, memory_order_relaxed);
        do {
                pthread_mutex_lock(&m[1]);
                seen = v;
                pthread_mutex_unlock(&m[1]);
        } while (seen);
        return arg;
}

static void *lock_both(void *arg)
{
        atomic_exchange(&v, 0);
        for (;;) {
                pthread_mutex_lock(&m[0]);
                if (!pthread_mutex_trylock(&m[1]))
                        break;
                pthread_mutex_unlock(&m[0]);
        }
        pthread_mutex_unlock(&m[1]);
        pthread_mutex_unlock(&m[0]);
        return arg;
}

int main(void)
{
        void *(*const all[])(void *) = {put, poll, lock_both};
        pthread_t t[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], NULL, all[i], NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return 0;
}
