/* A wait on a condition variable that no other thread knows still holds its mutex up to the wait. */
#include "../litmus.h"

int failed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&never, &lock);
        return NULL;
}

static void *try(void *arg)
{
        failed = pthread_mutex_trylock(&lock) != 0;
        if (!failed)
                pthread_mutex_unlock(&lock);
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, waiter, NULL);
        pthread_create(&b, NULL, try, NULL);
        pthread_detach(a);
        pthread_join(b, NULL);
        return 0;
}
