/* What a call reads is known when it is made: the text has grown while the thread waited for its turn. */
#include <stdlib.h>

#include "../litmus.h"

static char text[4] __attribute__((aligned(8))) = {'1', 0, '5', 0};
int seen;

static void *reader(void *arg)
{
        seen = atoi(text);
        return NULL;
}

static void *second(void *arg)
{
        text[1] = '2';
        return NULL;
}

static void *third(void *arg)
{
        text[2] = 0;
        return NULL;
}

int main(void)
{
        RUN(reader, second, third);
        return 0;
}
