/* RIGHT threads guard a counter with one lock, one thread with another. */
#include <assert.h>
#include <pthread.h>

#ifndef RIGHT
#define RIGHT 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *right(void *arg)
{
        pthread_mutex_lock(&lock);
        int before = counter;
        counter = before + 1;
        assert(counter == before + 1);
        pthread_mutex_unlock(&lock);
        return arg;
}

static void *wrong(void *arg)
{
        pthread_mutex_lock(&other);
        counter++;
        pthread_mutex_unlock(&other);
        return arg;
}

int main(void)
{
        pthread_t t[RIGHT + 1];

        for (int i = 0; i <= RIGHT; i++)
                pthread_create(&t[i], NULL, i < RIGHT ? right : wrong, NULL);
        for (int i = 0; i <= RIGHT; i++)
                pthread_join(t[i], NULL);
        return 0;
}
