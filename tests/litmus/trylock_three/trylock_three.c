/* Two failed trylocks do not conflict with one another. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int got[3];

static void try(int me)
{
        if (pthread_mutex_trylock(&lock) == 0) {
                got[me] = 1;
                pthread_mutex_unlock(&lock);
        }
}

static void *first(void *arg)
{
        try(0);
        return NULL;
}

static void *second(void *arg)
{
        try(1);
        return NULL;
}

static void *third(void *arg)
{
        try(2);
        return NULL;
}

int main(void)
{
        RUN(first, second, third);
        return 0;
}
