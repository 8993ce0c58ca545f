/* Allocation: two threads each mark two free cells of a vector of N, under a lock that is released between search and mark. */
#include <pthread.h>

static char cells[N]; /* not 0: allocated */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *allocates(void *arg)
{
        for (int k = 0; k < 2; k++) {
                int i = 0;

                pthread_mutex_lock(&m);
                while (i < N && cells[i])
                        i++;
                pthread_mutex_unlock(&m);
                pthread_mutex_lock(&m);
                if (i == N || cells[i]) { /* another thread was faster: it gives up */
                        pthread_mutex_unlock(&m);
                        return arg;
                }
                cells[i] = 1;
                pthread_mutex_unlock(&m);
        }
        return arg;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], 0, allocates, 0);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], 0);
        return 0;
}
