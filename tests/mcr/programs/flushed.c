/* Stores of two threads that reach memory after all else, in both orders: only the value at the end shows it. */
#include <pthread.h>

int x, y;

static void *one(void *arg)
{
        y = 1;
        x = 1;
        return arg;
}

static void *two(void *arg)
{
        x = 2;
        y = 2;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], 0, one, 0);
        pthread_create(&t[1], 0, two, 0);
        pthread_exit(0);
}
