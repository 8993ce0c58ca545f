/* A key that is made before main has its destructor, too. */
#include <pthread.h>
#include <stdint.h>

int destroyed;
static pthread_key_t key;

static void destroy(void *value)
{
        destroyed = (int)(intptr_t)value;
}

__attribute__((constructor)) static void make(void)
{
        pthread_key_create(&key, destroy);
}

static void *sets(void *arg)
{
        pthread_setspecific(key, (void *)1);
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, sets, NULL);
        pthread_join(t, NULL);
        return 0;
}
