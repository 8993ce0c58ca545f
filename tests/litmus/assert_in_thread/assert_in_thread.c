/* A lost update, seen by an assertion in the second thread. */
#include <assert.h>

#include "../litmus.h"

static int x;

static void *writer(void *arg)
{
        x++;
        return NULL;
}

static void *checker(void *arg)
{
        int old = x;

        x = old + 1;
        assert(x == old + 1);
        return NULL;
}

int main(void)
{
        RUN(writer, checker);
        return 0;
}
