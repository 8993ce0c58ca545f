/* N producers and a consumer with a condition variable. */
#include <pthread.h>

static int items;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *produce(void *arg)
{
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], 0, produce, 0);
        pthread_mutex_lock(&m);
        while (items < N)
                pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], 0);
        return 0;
}
