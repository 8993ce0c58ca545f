/* A message is taken from under its lock, and used after the unlock: by then the other thread may have withdrawn it. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first = 1;
static int *message = &first;

static void *withdraw(void *arg)
{
        pthread_mutex_lock(&lock);
        message = NULL;
        pthread_mutex_unlock(&lock);
        return arg;
}

static int use(void)
{
        return *message;
}

static void *reader(void *arg)
{
        pthread_mutex_lock(&lock);
        int there = message != NULL;
        pthread_mutex_unlock(&lock);
        if (there)
                use();
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, reader, NULL);
        pthread_create(&b, NULL, withdraw, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
