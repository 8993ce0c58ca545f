/* Two values under two locks: WRITERS update one, then the other, READERS see the first new and the second old. */
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *writer(void *arg)
{
        int seen;

        pthread_mutex_lock(&first);
        x = 1;
        pthread_mutex_unlock(&first);
        pthread_mutex_lock(&first);
        seen = x;
        pthread_mutex_unlock(&first);
        pthread_mutex_lock(&second);
        y = seen + 1;
        pthread_mutex_unlock(&second);
        return arg;
}

static void *reader(void *arg)
{
        int s, t;

        pthread_mutex_lock(&first);
        s = x;
        pthread_mutex_unlock(&first);
        if (!s)
                return arg;
        pthread_mutex_lock(&second);
        t = y;
        pthread_mutex_unlock(&second);
        assert(t == s + 1);
        return arg;
}

int main(void)
{
        pthread_t t[WRITERS + READERS];

        for (int i = 0; i < WRITERS + READERS; i++)
                pthread_create(&t[i], NULL, i < WRITERS ? writer : reader, NULL);
        for (int i = 0; i < WRITERS + READERS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
