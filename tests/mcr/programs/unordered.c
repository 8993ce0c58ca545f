/* Data races whose accesses are never next to each other: what keeps them apart orders nothing, and a lock orders them in some
 * executions of the same class. */
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int flag;
static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;

static void use(pthread_mutex_t *l)
{
        pthread_mutex_lock(l);
        pthread_mutex_unlock(l);
}

static void *writer(void *arg)
{
        x = 1;
        use(&k);
#ifdef TRY
        use(&m);
#else
        atomic_store_explicit(&flag, 1, STORE);
#endif
        return arg;
}

static void *reader(void *arg)
{
        int r = 0;

        use(&k);
#ifdef TRY
        if (pthread_mutex_trylock(&m))
                r = x;
        else
                pthread_mutex_unlock(&m);
#else
        if (atomic_load_explicit(&flag, LOAD))
                r = x;
#endif
        (void)r;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], 0, writer, 0);
        pthread_create(&t[1], 0, reader, 0);
        pthread_join(t[0], 0);
        pthread_join(t[1], 0);
        (void)flag;
        (void)m;
        return 0;
}
