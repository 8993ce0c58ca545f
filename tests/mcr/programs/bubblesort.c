/* BubbleSort: each thread makes one pass over the numbers, with a lock (LOCK) or without. */
#include <pthread.h>

static int a[] = {NUMBERS};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *pass(void *arg)
{
        if (LOCK)
                pthread_mutex_lock(&m);
        for (unsigned i = 0; i + 1 < sizeof a / sizeof *a; i++) {
                if (a[i] > a[i + 1]) {
                        int t = a[i];
                        a[i] = a[i + 1];
                        a[i + 1] = t;
                }
        }
        if (LOCK)
                pthread_mutex_unlock(&m);
        return arg;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], 0, pass, 0);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], 0);
        return 0;
}
