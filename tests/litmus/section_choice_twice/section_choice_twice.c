/* A section chooses what it touches; the next one touches the same.  Each branch of a choice sleeps by itself: one that is
 * woken because of another is not run again. */
#include <heddle/heddle.h>

#include "../litmus.h"

int y[2];

static void *worker(void *arg)
{
        heddle_atomic_begin();
        int i = heddle_choose(2);
        y[i]++;
        heddle_atomic_end();
        heddle_atomic_begin();
        y[i]--;
        heddle_atomic_end();
        return arg;
}

int main(void)
{
        RUN(worker, worker, worker);
        return 0;
}
