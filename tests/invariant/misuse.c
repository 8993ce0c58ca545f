/* Functions that cannot serve as invariants, or fail by themselves. */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, *nowhere;

int locks(void)
{
        pthread_mutex_lock(&m);
        int r = x < 5;
        pthread_mutex_unlock(&m);
        return r;
}

int writes(void)
{
        static int calls;
        calls++;
        return 1;
}

int assumes(void)
{
        heddle_assume(x < 1);
        return 1;
}

int remembers(void)
{
        static int last;
        heddle_ignore_begin();
        int fine = x >= last;
        last = x;
        heddle_ignore_end();
        return fine;
}

int crashes(void)
{
        return x < 2 || *nowhere == 0;
}

int asserts(void)
{
        assert(x < 2);
        return 1;
}

int loops(void)
{
        while (x == 2) {
        }
        return 1;
}

static void *twice(void *arg)
{
        x++;
        x++;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, twice, NULL);
        pthread_join(t, NULL);
        return 0;
}
