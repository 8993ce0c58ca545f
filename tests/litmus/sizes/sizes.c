/* Accesses of different sizes conflict where they overlap, and only there. */
#include <string.h>

#include "../litmus.h"

static union {
        unsigned word;
        volatile unsigned char byte[4];
} u;
unsigned r;

static void *word(void *arg)
{
        u.word = 0x01020304;
        return NULL;
}

static void *low(void *arg)
{
        u.byte[1] = 0x05;
        return NULL;
}

static void *high(void *arg)
{
        u.byte[3] = 0x55;
        return NULL;
}

int main(void)
{
        RUN(word, low, high);
        r = u.word;
        return 0;
}
