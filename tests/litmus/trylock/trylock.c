/* trylock succeeds or fails, and never waits. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int got[2];

static void try(int me)
{
        if (pthread_mutex_trylock(&lock) == 0) {
                got[me] = 1;
                pthread_mutex_unlock(&lock);
        }
}

static void *left(void *arg)
{
        try(0);
        return NULL;
}

static void *right(void *arg)
{
        try(1);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
