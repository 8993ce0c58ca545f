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

__attribute__((noinline)) static int ask(const int *p, long n)
{
        __asm__ volatile("" : : "r"(n) : "rbx", "r12", "r13", "memory");
        return *(const volatile int *)p;
}

/* A loop with more values than there are registers, whose accesses are counted in one of them. */
static void *presses(void *arg)
{
        unsigned long *t = numbers, n = 0, a = t[1], b = t[2], c = t[3], d = t[4], e = t[5], f = t[6], g = t[7];
        int *p = where;

        do {
                n = 0;
                for (int i = 0; i < 8; i++) {
                        if (t[i] > a)
                                t[i + 20] = b + t[i + 1];
                        else
                                n += t[i] * c + d;
                        if (t[i + 8] < e)
                                t[i + 30] = f * g;
                }
        } while (!ask(p, (long)n));
        seen = 1 + ((a + b + c + d + e + f + g + n) > 1000);
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
        void *(*body)(void *) = argc < 2                      ? NULL
                                : !strcmp(argv[1], "counts")  ? counts
                                : !strcmp(argv[1], "waits")   ? waits
                                : !strcmp(argv[1], "presses") ? presses
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
