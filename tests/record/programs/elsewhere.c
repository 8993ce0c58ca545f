/* Two places that crash, one behind the other, without a branch between them. */
#include <pthread.h>
#include <stddef.h>

static int word = 1;
static int *volatile first = &word, *volatile second = &word;
static volatile int sum;

static void *clear(void *arg)
{
        first = NULL;
        first = &word;
        second = NULL;
        second = &word;
        return arg;
}

static void use(void)
{
        sum += *first;
        sum += *second;
}

static void *read_both(void *arg)
{
        use();
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, clear, NULL);
        pthread_create(&b, NULL, read_both, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
