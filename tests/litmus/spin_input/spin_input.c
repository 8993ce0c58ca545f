/* A loop that reads the same letter again and again looks like one that waits, but comes to its end. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../litmus.h"

static atomic_int flag;

static void *setter(void *arg)
{
        atomic_store(&flag, 1);
        return NULL;
}

static void *reader(void *arg)
{
        char text[] = "aaaaaaaaaaaa";
        FILE *f = fmemopen(text, sizeof(text) - 1, "r");

        while (!atomic_load(&flag) && fgetc(f) == 'a')
                ;
        fclose(f);
        return NULL;
}

int main(void)
{
        RUN(reader, setter);
        return 0;
}
