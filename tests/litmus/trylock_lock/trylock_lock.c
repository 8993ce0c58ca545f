/* A trylock against a lock. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int got;

static void *holder(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        return NULL;
}

static void *visitor(void *arg)
{
        if (pthread_mutex_trylock(&lock) == 0) {
                got = 1;
                pthread_mutex_unlock(&lock);
        }
        return NULL;
}

int main(void)
{
        RUN(holder, visitor);
        return 0;
}
