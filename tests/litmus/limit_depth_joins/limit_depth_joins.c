/* The failure is the last event within --depth, if the main thread does not join the thread that has ended. */
#include <heddle/heddle.h>
#include <pthread.h>

static _Atomic int x;

static void *first(void *arg)
{
        x = 1;
        return arg;
}

static void *second(void *arg)
{
        heddle_assert(x == 0);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, first, 0);
        pthread_create(&b, 0, second, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
