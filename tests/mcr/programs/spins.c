/*
 * Spinlocks: under tso and pso their release is delayed.
 *
 * Otherwise: what is stored before the release is seen by the next owner; what is read after it may be older.  TRY: a failed try may
 * come after the release.  FIRST: stores of threads before their first point, beside a failed try.
 */
#include <pthread.h>

static pthread_spinlock_t lock;
static int x, y, a, b;

static void *one(void *arg)
{
#ifdef FIRST
        x = 1;
        if (pthread_spin_trylock(&lock) == 0)
                pthread_spin_unlock(&lock);
#else
        pthread_spin_lock(&lock);
        x = 1;
        pthread_spin_unlock(&lock);
        a = y;
#endif
        return arg;
}

static void *two(void *arg)
{
#ifdef FIRST
        x = 2;
        if (pthread_spin_trylock(&lock) == 0)
                pthread_spin_unlock(&lock);
#else
        y = 1;
#ifdef TRY
        if (pthread_spin_trylock(&lock) != 0)
                return arg;
#else
        pthread_spin_lock(&lock);
#endif
        b = x;
        pthread_spin_unlock(&lock);
#endif
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_spin_init(&lock, 0);
        pthread_create(&t, NULL, one, NULL);
        pthread_create(&u, NULL, two, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        return 0;
}
