/* One thread assigns a struct of two words while another reads both. */
#include "../litmus.h"

static struct pair {
        long a, b;
} g, one = {1, 1};
long a, b;

static void *writer(void *arg)
{
        g = one;
        return NULL;
}

static void *reader(void *arg)
{
        struct pair l = g;

        a = l.a;
        b = l.b;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
