/* The assumption rejects the values that are tried first; with 6 the assertion fails. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int x;

static void *set(void *arg)
{
        x = *(int *)arg;
        return NULL;
}

int main(void)
{
        int n = __VERIFIER_nondet_int();
        pthread_t t;

        __VERIFIER_assume(n >= 5 && n < 8);
        pthread_create(&t, NULL, set, &n);
        pthread_join(t, NULL);
        assert(x != 6);
        return 0;
}
