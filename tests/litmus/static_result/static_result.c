/* What the call returns is memory of libc that the next call overwrites: one thread may read the result of another's. */
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>

#ifndef CALL
#define CALL (void)getpwuid(0)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *caller(void *arg)
{
        pthread_mutex_lock(&m);
        CALL;
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, caller, NULL);
        pthread_create(&b, NULL, caller, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
