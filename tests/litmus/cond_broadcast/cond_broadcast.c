/* A broadcast wakes everybody, in no particular order. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int go, ranks;
int rank[2];

static void wait_for_go(int me)
{
        pthread_mutex_lock(&lock);
        while (!go)
                pthread_cond_wait(&cond, &lock);
        rank[me] = ++ranks;
        pthread_mutex_unlock(&lock);
}

static void *waiter_a(void *arg)
{
        wait_for_go(0);
        return NULL;
}

static void *waiter_b(void *arg)
{
        wait_for_go(1);
        return NULL;
}

static void *broadcaster(void *arg)
{
        pthread_mutex_lock(&lock);
        go = 1;
        pthread_cond_broadcast(&cond);
        pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        RUN(waiter_a, waiter_b, broadcaster);
        return 0;
}
