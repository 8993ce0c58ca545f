/* What an instruction of inline assembly fills is written word by word, too. */
#include <assert.h>

#include "../litmus.h"

static volatile char x[24] __attribute__((aligned(8)));

static void *writer(void *arg)
{
        volatile char *to = x;
        unsigned long n = sizeof x;

        __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(1) : "memory");
        return NULL;
}

static void *reader(void *arg)
{
        char first = x[0], last = x[20];

        assert(!(first && !last));
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
