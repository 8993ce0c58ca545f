/* append() asks the other buffer for its length, then copies so many characters; every call is atomic, both are not (after
 * java.lang.StringBuffer).  PAD calls come before and after. */
#include <assert.h>
#include <pthread.h>

#ifndef PAD
#define PAD 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length = 5, copied;

static int length_of(void)
{
        pthread_mutex_lock(&lock);
        int n = length;
        pthread_mutex_unlock(&lock);
        return n;
}

static void *append(void *arg)
{
        for (int i = 0; i < PAD; i++)
                length_of();
        int n = length_of();
        pthread_mutex_lock(&lock);
        assert(n <= length);
        copied += n;
        pthread_mutex_unlock(&lock);
        return arg;
}

static void *erase(void *arg)
{
        for (int i = 0; i < PAD; i++)
                length_of();
        pthread_mutex_lock(&lock);
        length = 0;
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < PAD; i++)
                length_of();
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, append, NULL);
        pthread_create(&b, NULL, erase, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
