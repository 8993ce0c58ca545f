/* A library with thread-local data and a constructor, loaded by dlopen_tls.c. */
#include <stdlib.h>

static __thread int count = 10;
static __thread char *block;
static int constructed;

int *library_count(void);
char *library_block(void);

__attribute__((constructor)) static void construct(void)
{
        constructed++;
}

int *library_count(void)
{
        count += constructed;
        return &count;
}

char *library_block(void)
{
        if (!block)
                block = calloc(1, 100);
        return block;
}
