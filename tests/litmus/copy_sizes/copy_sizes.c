/* Three bytes are two words, of two bytes and one; memset writes them one after the other, and memcmp reads them so. */
#include <string.h>

#include "../litmus.h"

static char x[3] __attribute__((aligned(8)));
int seen;

static void *writer(void *arg)
{
        memset(x, 1, sizeof x);
        return NULL;
}

static void *reader(void *arg)
{
        if (!memcmp(x, "\1\1\1", 3))
                seen = 2;
        else if (!memcmp(x, "\1\1", 2))
                seen = 1;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
