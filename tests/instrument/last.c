/* Blocks that end inside a word: their own bytes are used many times (without a call then), and those behind the end once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *p;
static char same[32]; /* for calls with a second operand, which is the thread's own, too */

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

        for (int i = 0; i < 32; i++)
                *(volatile char *)(same + i) = (char)i;
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
        return sum == 12345;
#elif WHICH == 5
        for (int i = 0; i < 14; i++)
                same[i] = i < 13 ? p[i] : 1;
        sum += memcmp(same, p, 14);
#elif WHICH == 6
        free(p);
        p = malloc(14);
        use(14);
        p = realloc(p, 15);
        use(15);
        p = realloc(p, 16);
        use(16);
        sum += memcmp(p, same, 1);
#elif WHICH == 7
        free(p);
        p = malloc(10);
        use(10);
        sum += read_at(p + 10);
#elif WHICH == 9
        memcpy(p, same, 14);
#elif WHICH == 10
        memcpy(same, p, 14);
#elif WHICH == 11
        memset(p, 'x', 14);
#elif WHICH == 12
        memset(p, 'x', 13);
        sum += (int)strlen(p);
#elif WHICH == 13
        memset(p, 'x', 13);
        memset(same, 'x', 15);
        sum += strcmp(same, p);
#elif WHICH == 14
        memset(p, 'x', 13);
        sum += strchr(p, 'y') != NULL;
#elif WHICH == 15
        memset(p, 'x', 13);
        p[12] = 0;
        memset(same, 'x', 12);
        same[12] = 0;
        sum += strcmp(same, p) + (int)strlen(p) + (strchr(p, 'y') != NULL) + memcmp(same, p, 13);
        memcpy(p, same, 13);
#endif
#if WHICH == 3 || WHICH == 7 /* nothing else may fail */
        free(p);
        return sum == 12345;
#endif
        pthread_create(&t, NULL, other, NULL);
#if WHICH == 8
        p[12]++;
#endif
        pthread_join(t, NULL);
        free(p);
        return sum == 12345;
}
