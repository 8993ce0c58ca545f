/* Sixteen threads and one condition variable for producers and consumers: the only signal may wake a thread of the wrong kind, and
 * all wait. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int queue[4], n, done;

static void *consume(void *arg)
{
        long sum = 0;

        for (;;) {
                pthread_mutex_lock(&m);
                while (!n && !done)
                        pthread_cond_wait(&c, &m);
                if (!n)
                        break;
                sum += queue[--n];
                pthread_cond_signal(&c);
                pthread_mutex_unlock(&m);
        }
        pthread_mutex_unlock(&m);
        return arg ? (void *)sum : NULL;
}

static void *produce(void *arg)
{
        for (int i = 0; i < 6; i++) {
                pthread_mutex_lock(&m);
                while (n == 4)
                        pthread_cond_wait(&c, &m);
                queue[n++] = i;
                pthread_cond_signal(&c);
                pthread_mutex_unlock(&m);
        }
        return arg;
}

int main(void)
{
        pthread_t t[16];

        for (int i = 0; i < 16; i++)
                pthread_create(&t[i], NULL, i < 8 ? consume : produce, NULL);
        for (int i = 8; i < 16; i++)
                pthread_join(t[i], NULL);
        pthread_mutex_lock(&m);
        done = 1;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 8; i++)
                pthread_join(t[i], NULL);
        return 0;
}
