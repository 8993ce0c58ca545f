/* Of a long copy the words that others read are steps of their own; the others are copied at once. */
#include <string.h>

#include "../litmus.h"

static long from[64], to[64];
int lower, upper;

static void *writer(void *arg)
{
        memcpy(to, from, sizeof to);
        return NULL;
}

static void *reader(void *arg)
{
        lower = (int)to[20];
        upper = (int)to[50];
        return NULL;
}

int main(void)
{
        for (int i = 0; i < 64; i++)
                from[i] = 1;
        RUN(writer, reader);
        return 0;
}
