/* Optimised code compares its accesses by itself, and keeps values in registers meanwhile: a part of the state of its loops. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define BARRIER() __asm__ volatile("" ::: "memory")
#define WORDS     4096

int flag, seen;
static int *where = &flag;
static unsigned long numbers[WORDS];
static volatile int most = 8;

/* Eight rounds at most: no thread waits here. */
static void *counts(void *arg)
{
        int n = 0, end = most, *p = where;

        for (; n < end && !*p; n++)
                BARRIER();
        seen = n == end ? 1 : 2;
        return arg;
}

static void *waits(void *arg)
{
        int *p = where;

        while (!*p)
                BARRIER();
        seen = 1;
        return arg;
}

/* More than a thread may do before it is checked for a loop (RT_PATIENCE), several times. */
static unsigned long computes(void)
{
        unsigned long sum = 1;

        for (int round = 0; round < 40; round++)
                for (int i = 0; i < WORDS; i++) {
                        numbers[i] += sum;
                        sum = sum * 5 + numbers[i * 7 % WORDS];
                }
        return sum;
}

static void *fails(void *arg)
{
        unsigned long sum = computes();

        if (*where)
                assert(!sum);
        return arg;
}

static void *sets(void *arg)
{
        flag = 1;
        return arg;
}

int main(int argc, char **argv)
{
        void *(*body)(void *) = argc < 2                     ? NULL
                                : !strcmp(argv[1], "counts") ? counts
                                : !strcmp(argv[1], "waits")  ? waits
                                                             : fails;
        pthread_t a, b;

        if (!body) {
                printf("%lx\n", computes());
                return 0;
        }
        pthread_create(&a, NULL, body, NULL);
        pthread_create(&b, NULL, sets, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
