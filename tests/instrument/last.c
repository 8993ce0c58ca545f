/* Blocks that end inside a word: their own bytes are used many times (without a call then), and those behind the end once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *p;

__attribute__((noinline)) static int read_at(const char *at)
{
        return *(const volatile char *)at;
}

__attribute__((noinline)) static int read_four(const char *at)
{
        return *(const volatile int *)(const void *)at;
}

static void use(int n)
{
        for (int round = 0; round < 3; round++)
                for (int i = 0; i < n; i++)
                        p[i] = (char)(p[i] + i);
}

static void *other(void *arg)
{
        p[12]++;
        return arg;
}

int main(void)
{
        pthread_t t;
        int sum = 0;

        p = malloc(13);
        use(13);
        sum += read_four(p + 8);
#if WHICH == 1
        sum += read_at(p + 13);
#elif WHICH == 2
        sum += read_four(p + 12);
#elif WHICH == 3
        p = realloc(p, 10);
        use(10);
        sum += read_at(p + 10);
#elif WHICH == 4
        free(p);
        sum += read_at(p + 12);
#elif WHICH == 5
        sum += memcmp(p, "\0\3\6\11\14\17\22\25\30\33\36\41\44", 14);
#elif WHICH == 6
        free(p);
        p = malloc(14);
        use(14);
        p = realloc(p, 15);
        use(15);
        p = realloc(p, 16);
        use(16);
        sum += memcmp(p, "", 1);
#elif WHICH == 7
        free(p);
        p = malloc(10);
        use(10);
        sum += read_at(p + 10);
#endif
        pthread_create(&t, NULL, other, NULL);
#if WHICH == 8
        p[12]++;
#endif
        pthread_join(t, NULL);
        free(p);
        return sum == 12345;
}
