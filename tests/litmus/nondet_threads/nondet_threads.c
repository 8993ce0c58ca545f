/* A number of threads that is not known: the assumption allows four, and values beyond those that were tried are named. */
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *add(void *arg)
{
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
        return arg;
}

int main(void)
{
        unsigned n = __VERIFIER_nondet_uint();
        pthread_t t[5];

        __VERIFIER_assume(n > 2 && n < 5);
        for (unsigned i = 0; i < n; i++)
                pthread_create(&t[i], NULL, add, NULL);
        for (unsigned i = 0; i < n; i++)
                pthread_join(t[i], NULL);
        return x != (int)n;
}
