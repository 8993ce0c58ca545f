/* Which way it goes is decided by a clock, a random number and standard input, and the failure depends on all of them. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

static int seen[4];

static void *count(void *arg)
{
        struct timespec now;
        unsigned char byte;

        clock_gettime(CLOCK_REALTIME, &now);
        for (int i = 0; i < 16; i++)
                if (now.tv_nsec >> i & 1)
                        seen[1]++;
        for (int i = 0; i < 8; i++)
                if (getrandom(&byte, 1, 0) == 1 && byte & 1)
                        seen[2] += (int)(byte & 2);
        return arg;
}

int main(void)
{
        pthread_t t;
        int c;

        srand((unsigned)time(NULL));
        pthread_create(&t, NULL, count, NULL);
        while ((c = getchar()) != EOF)
                if (c == 'x')
                        seen[0]++;
        for (int i = 0; i < 8; i++)
                if (rand() & 1)
                        seen[3]++;
        pthread_join(t, NULL);
        if (seen[1] > 8)
                seen[1] = 8;
        assert(seen[0] != 3 || seen[1] + seen[2] + seen[3] > 32);
        return 0;
}
