/* What is in an atomic section happens in one step: x and y stay equal. */
#include <assert.h>
#include <heddle/heddle.h>

#include "../litmus.h"

int x = 1, y = 1;

static void *adder(void *arg)
{
        heddle_atomic_begin();
        x++;
        y++;
        heddle_atomic_end();
        return NULL;
}

static void *doubler(void *arg)
{
        heddle_atomic_begin();
        x *= 2;
        y *= 2;
        heddle_atomic_end();
        return NULL;
}

int main(void)
{
        RUN(adder, doubler);
        assert(x == y);
        return 0;
}
