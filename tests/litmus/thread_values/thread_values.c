/* What a thread returns, or hands to pthread_exit from deep inside, is what join gets. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(intptr_t value)
{
        pthread_exit((void *)value);
}

static void *returns(void *arg)
{
        return (char *)arg + 1;
}

static void *exits(void *arg)
{
        leave((intptr_t)arg + 2);
        return NULL;
}

int main(void)
{
        pthread_t a, b;
        void *from_a, *from_b;

        pthread_create(&a, NULL, returns, (void *)10);
        pthread_create(&b, NULL, exits, (void *)20);
        pthread_join(b, &from_b);
        pthread_join(a, &from_a);
        assert(from_a == (void *)11);
        assert(from_b == (void *)22);
        return 0;
}
