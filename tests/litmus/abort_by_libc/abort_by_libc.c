/* An abort that libc itself raises, past any interposed abort(). */
#include "../litmus.h"

/* What a smashed stack ends in; libc then aborts by itself. */
extern void __stack_chk_fail(void) __attribute__((noreturn));

static int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        if (x == 1)
                __stack_chk_fail();
        return 0;
}
