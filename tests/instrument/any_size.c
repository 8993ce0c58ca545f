/* Atomic objects that libatomic guards by a lock: their operations are visible, and each is one step. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
        long a, b, c;
} big;
typedef struct {
        char c[3];
} small;

static _Atomic big shared;
static _Atomic small little;

static void *work(void *arg)
{
        big old = shared, new;
#ifdef LOST
        new = old;
        new.c++;
        shared = new;
#else
        do {
                new = old;
                new.a++;
                new.c++;
        } while (!atomic_compare_exchange_weak(&shared, &old, new));
        assert(new.a == new.c);
        atomic_exchange(&little, ((small){{1, 2, 3}}));
#endif
        return arg;
}

int main(void)
{
        pthread_t t, u;

        pthread_create(&t, NULL, work, NULL);
        pthread_create(&u, NULL, work, NULL);
        pthread_join(t, NULL);
        pthread_join(u, NULL);
        big last = shared;
        assert(last.c == 2);
        return 0;
}
