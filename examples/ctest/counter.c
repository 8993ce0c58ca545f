#include "counter.h"

#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void counter_add(int n)
{
#ifndef WITHOUT_LOCK
        pthread_mutex_lock(&lock);
#endif
        value += n;
#ifndef WITHOUT_LOCK
        pthread_mutex_unlock(&lock);
#endif
}

int counter_get(void)
{
        pthread_mutex_lock(&lock);
        int v = value;
        pthread_mutex_unlock(&lock);
        return v;
}
