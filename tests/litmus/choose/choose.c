/* Every combination of two choices in two threads, and nothing twice. */
#include <heddle/heddle.h>

#include "../litmus.h"

int a, b;

static void *left(void *arg)
{
        a = (int)heddle_choose(3);
        return NULL;
}

static void *right(void *arg)
{
        b = (int)heddle_choose(2);
        return NULL;
}

int main(void)
{
        RUN(left, right);
        return 0;
}
