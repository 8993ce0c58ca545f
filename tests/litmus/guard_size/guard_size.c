/* Stacks have guards, and say so: those of their attributes, in whole pages. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static void *thread(void *arg)
{
        pthread_attr_t attr;
        size_t size;

        assert(!pthread_getattr_np(pthread_self(), &attr));
        assert(!pthread_attr_getguardsize(&attr, &size));
        assert(size == *(size_t *)arg);
        pthread_attr_destroy(&attr);
        return NULL;
}

static void create(const pthread_attr_t *attr, size_t wanted)
{
        pthread_t t;

        assert(!pthread_create(&t, attr, thread, &wanted));
        pthread_join(t, NULL);
}

int main(void)
{
        pthread_attr_t attr;

        create(NULL, 4096);
        pthread_attr_init(&attr);
        create(&attr, 4096);
        pthread_attr_setguardsize(&attr, 5000);
        create(&attr, 8192);
        pthread_attr_setguardsize(&attr, 0);
        create(&attr, 0);
        pthread_attr_destroy(&attr);
        return 0;
}
