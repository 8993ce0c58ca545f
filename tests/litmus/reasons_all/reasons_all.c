/* Two kinds of values that are not all tried, and a limit: no reason hides another. */
#include <pthread.h>

int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);

static int x;

static void *thread(void *arg)
{
        x += __VERIFIER_nondet_uchar() + (arg != NULL);
        return NULL;
}

int main(void)
{
        pthread_t t;

        x = __VERIFIER_nondet_int();
        pthread_create(&t, NULL, thread, NULL);
        x++;
        pthread_join(t, NULL);
        return 0;
}
