/* Small programs of the thesis on MCR: figures 3.5 (a), 5.3 and 5.5, listing 4.1. */
#include <pthread.h>

static int x, y;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;

static void read_of(const int *p)
{
        int r = *p;

        (void)r;
}

#if FIGURE == 35
static void *p(void *arg)
{
        x = 1;
        read_of(&y);
        return arg;
}
static void *q(void *arg)
{
        y = 1;
        read_of(&x);
        return arg;
}
#define THREADS      \
        {            \
                p, q \
        }
#elif FIGURE == 41
static void *p(void *arg)
{
        x = 1;
        return arg;
}
static void *q(void *arg)
{
        read_of(&x);
        read_of(&x);
        return arg;
}
#define THREADS      \
        {            \
                p, q \
        }
#else
static void *p(void *arg)
{
        x = 1;
        return arg;
}
static void *q(void *arg)
{
        if (FIGURE == 55)
                pthread_mutex_lock(&l);
        read_of(&x);
        if (FIGURE == 55)
                pthread_mutex_unlock(&l);
        return arg;
}
static void *r(void *arg)
{
        y = 1;
        return arg;
}
static void *s(void *arg)
{
        if (FIGURE == 53)
                x = 2;
        else
                pthread_mutex_lock(&l);
        read_of(&y);
        if (FIGURE == 55)
                pthread_mutex_unlock(&l);
        return arg;
}
#define THREADS            \
        {                  \
                p, q, r, s \
        }
#endif

int main(void)
{
        void *(*const f[])(void *) = THREADS;
        pthread_t t[sizeof f / sizeof *f];

        for (unsigned i = 0; i < sizeof f / sizeof *f; i++)
                pthread_create(&t[i], 0, f[i], 0);
        for (unsigned i = 0; i < sizeof f / sizeof *f; i++)
                pthread_join(t[i], 0);
        (void)l;
        return 0;
}
