/* Three atomic sections that begin with a choice: every order of them with every choice. */
#include <heddle/heddle.h>

#include "../litmus.h"

int y, n;

static void step(int id)
{
        heddle_atomic_begin();
        int c = heddle_choose(2);
        y = y * 10 + id;
        n = n * 10 + c;
        heddle_atomic_end();
}

static void *a(void *arg)
{
        step(1);
        return arg;
}

static void *b(void *arg)
{
        step(2);
        return arg;
}

static void *c(void *arg)
{
        step(3);
        return arg;
}

int main(void)
{
        RUN(a, b, c);
        return 0;
}
