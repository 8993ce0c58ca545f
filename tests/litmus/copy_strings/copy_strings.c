/* strcpy writes word by word: 8 and 4 letters, then the last one with the terminator. */
#include <string.h>

#include "../litmus.h"

static char text[24] __attribute__((aligned(8)));
int length;

static void *writer(void *arg)
{
        strcpy(text, "abcdefghijklm");
        return NULL;
}

static void *reader(void *arg)
{
        length = (int)strlen(text);
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
