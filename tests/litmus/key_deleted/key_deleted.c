/* A value whose key is deleted before its thread ends is not destroyed. */
#include <pthread.h>
#include <stdint.h>

int destroyed, set;
static pthread_key_t key;

static void destroy(void *value)
{
        destroyed = (int)(intptr_t)value;
}

static void *deletes(void *arg)
{
        pthread_key_delete(key);
        return arg;
}

static void *sets(void *arg)
{
        set = pthread_setspecific(key, (void *)1) == 0;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_key_create(&key, destroy);
        pthread_create(&a, NULL, deletes, NULL);
        pthread_create(&b, NULL, sets, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
