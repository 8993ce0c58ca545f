/* A call writes the words of its result one after the other, and others may read in between. */
#include <stdio.h>

#include "../litmus.h"

static char text[16] __attribute__((aligned(8)));
int lower, upper;

static void *writer(void *arg)
{
        snprintf(text, sizeof text, "%012d", 1);
        return NULL;
}

static void *reader(void *arg)
{
        lower = text[0] != 0;
        upper = text[8] != 0;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
