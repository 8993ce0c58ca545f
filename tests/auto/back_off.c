/* Threads that back off for each other: states are compared.  The failure is deep for a search, and soon found by chance. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int left, right;

static void both(int first)
{
        for (;; first = 1 - first) {
                pthread_mutex_lock(&m[first]);
                if (!pthread_mutex_trylock(&m[1 - first]))
                        break;
                pthread_mutex_unlock(&m[first]);
        }
        pthread_mutex_unlock(&m[1 - first]);
        pthread_mutex_unlock(&m[first]);
}

static void *a(void *arg)
{
        both(0);
        for (int i = 0; i < 40; i++)
                left++;
        both(0);
        return arg;
}

static void *b(void *arg)
{
        both(1);
        for (int i = 0; i < 40; i++) {
                right++;
                assert(right < 36 || right > 44 || left < 50 || left > 70);
        }
        both(1);
        return arg;
}

int main(void)
{
        pthread_t t[4];

        for (int i = 0; i < 4; i++)
                pthread_create(&t[i], NULL, i % 2 ? b : a, NULL);
        for (int i = 0; i < 4; i++)
                pthread_join(t[i], NULL);
        return 0;
}
