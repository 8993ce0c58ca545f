/* The thread that reads first from a stream or a descriptor that both have gets what comes first. */
#include <stdio.h>
#include <unistd.h>

#include "../litmus.h"

static FILE *stream;
int a, b, c, d;

static void *first(void *arg)
{
        char one;

        a = getc(stream);
        if (read(fileno(stream) + 1, &one, 1) == 1)
                c = one;
        return arg;
}

static void *second(void *arg)
{
        char one;

        b = getc(stream);
        if (read(fileno(stream) + 1, &one, 1) == 1)
                d = one;
        return arg;
}

int main(void)
{
        FILE *other;

        stream = tmpfile();
        other = tmpfile();
        if (fileno(other) != fileno(stream) + 1)
                return 3;
        fputs("\1\2", stream);
        fputs("\3\4", other);
        rewind(stream);
        rewind(other);
        RUN(first, second);
        return 0;
}
