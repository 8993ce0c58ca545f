/*
 * A thread sleeps whose next transition stores, and loads what it has stored: from its own buffer, so what other threads store does not wake it.
 */
#include <pthread.h>

int x;

static void *sets(void *arg)
{
        x = 0;
        return x ? NULL : arg;
}

static void *adds(void *arg)
{
        x++;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, adds, NULL);
        pthread_create(&b, NULL, sets, NULL);
        x = 3;
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
