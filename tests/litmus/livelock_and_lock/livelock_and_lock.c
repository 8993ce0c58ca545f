/* Blocked threads beside a spinning one: the spinner is why nothing moves. */
#include <stdatomic.h>

#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *spinner(void *arg)
{
        pthread_mutex_lock(&lock);
        while (!atomic_load(&flag))
                ;
        pthread_mutex_unlock(&lock);
        return NULL;
}

static void *setter(void *arg)
{
        pthread_mutex_lock(&lock);
        atomic_store(&flag, 1);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(spinner, setter);
        return 0;
}
