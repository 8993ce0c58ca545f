/* A struct that two threads copy; or, with MEMBERS, its members one by one. */
#include <pthread.h>

static struct {
        long a, b;
} g, h;

static void *copy(void *arg)
{
#ifdef MEMBERS
        g.a = h.a;
        g.b = h.b;
#else
        g = h;
#endif
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, copy, NULL);
        copy(NULL);
        pthread_join(t, NULL);
        return 0;
}
