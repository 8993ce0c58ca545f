/* A section that waits for a thread gives up being one: what follows the join may come later than what precedes it. */
#include <heddle/heddle.h>

#include "../litmus.h"

static volatile int x, y;
int seen_x, seen_y;
static pthread_t ends;

static void *reads(void *arg)
{
        return x == 3 ? NULL : arg;
}

static void *joins(void *arg)
{
        heddle_atomic_begin();
        seen_y = y;
        pthread_join(ends, NULL);
        x = 1;
        heddle_atomic_end();
        return arg;
}

static void *observes(void *arg)
{
        heddle_atomic_begin();
        y = 1;
        seen_x = x;
        heddle_atomic_end();
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&ends, NULL, reads, NULL);
        pthread_create(&t[0], NULL, joins, NULL);
        pthread_create(&t[1], NULL, observes, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
