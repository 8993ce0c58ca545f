/* The limit falls into the middle of a broadcast: whom that was going to wake does not race with who kept it from running. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *once(void *arg)
{
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

static void *until_ready(void *arg)
{
        pthread_mutex_lock(&m);
        while (!ready)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, once, NULL);
        pthread_create(&b, NULL, until_ready, NULL);
        ready = 1;
        pthread_cond_broadcast(&c);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
