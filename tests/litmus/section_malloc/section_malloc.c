/* Allocations in an atomic section may fail; what is touched depends on that. */
#include <stdlib.h>

#include <heddle/heddle.h>

#include "../litmus.h"

int taken, failed;

static void *worker(void *arg)
{
        heddle_atomic_begin();
        int *p = malloc(sizeof *p);
        if (p)
                taken = taken * 4 + (int)(long)arg;
        else
                failed = failed * 4 + (int)(long)arg;
        free(p);
        heddle_atomic_end();
        return NULL;
}

static void *a(void *arg)
{
        return worker((void *)1);
}

static void *b(void *arg)
{
        return worker((void *)2);
}

static void *c(void *arg)
{
        return worker((void *)3);
}

int main(void)
{
        RUN(a, b, c);
        return 0;
}
