/* The answers to a choice touch different things: the one that touches nothing is run in one order only. */
#include <heddle/heddle.h>

#include "../litmus.h"

int x, seen, chosen;

static void *writer(void *arg)
{
        if (heddle_choose(2)) {
                chosen = 1;
                x = 1;
        }
        return NULL;
}

static void *reader(void *arg)
{
        seen = x;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
