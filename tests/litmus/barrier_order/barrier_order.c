/* What three threads did before a barrier comes before what any of them does after it: nothing is left to explore but who
 * is the serial thread. */
#include <assert.h>
#include <pthread.h>

#include "../litmus.h"

static int x[3];
static pthread_barrier_t b;

static void *meet(int me)
{
        x[me] = 1;
        pthread_barrier_wait(&b);
        assert(x[0] + x[1] + x[2] == 3);
        return NULL;
}

static void *first(void *arg) { return arg ? arg : meet(0); }
static void *second(void *arg) { return arg ? arg : meet(1); }
static void *third(void *arg) { return arg ? arg : meet(2); }

int main(void)
{
        pthread_barrier_init(&b, NULL, 3);
        RUN(first, second, third);
        return 0;
}
