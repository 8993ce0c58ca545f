/* No descriptor can be opened any more: before the first thread, or with LATE after it. */
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

static void *work(void *arg)
{
        return arg;
}

static void limit(void)
{
        struct rlimit none = {0, 0};

        setrlimit(RLIMIT_NOFILE, &none);
}

int main(void)
{
        pthread_t t;

#ifndef LATE
        limit();
#endif
        pthread_create(&t, NULL, work, NULL);
#ifdef LATE
        limit();
#endif
        pthread_join(t, NULL);
        return 0;
}
