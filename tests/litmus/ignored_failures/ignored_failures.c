/* Three defects, of which one known must not hide the others: an assertion, a deadlock, and an exit status. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *check(void *arg)
{
        x++;
        assert(x != ASSERTED);
        return arg;
}

static void *there(void *arg)
{
        x++;
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
        return arg;
}

static void *back(void *arg)
{
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
        return arg;
}

int main(void)
{
        pthread_t t[3];

        pthread_create(&t[0], NULL, check, NULL);
        pthread_create(&t[1], NULL, there, NULL);
        pthread_create(&t[2], NULL, back, NULL);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        return STATUS;
}
