/* qsort with and without its own memory, bsearch, tsearch and hsearch. */
#include "restore.h"

#include <search.h>

static void *tree;
static int keys[THREADS] = {7, 3};

static int compare(const void *a, const void *b)
{
        return *(const int *)a - *(const int *)b;
}

static void odd(long n)
{
        enum { COUNT = 3000 };
        int *v = malloc(COUNT * sizeof *v), key = 1500;

        for (int i = 0; i < COUNT; i++)
                v[i] = (i * 7919) % COUNT;
        qsort(v, COUNT, sizeof *v, compare);
        assert(bsearch(&key, v, COUNT, sizeof *v, compare) == &v[1500]);
        free(v);
        if (n == 0) {
                assert(!tree);
                tsearch(&keys[0], &tree, compare);
                assert(tfind(&keys[0], &tree, compare));
        } else {
                ENTRY e = {(char *)"key", &keys[1]};
                assert(hsearch(e, ENTER));
        }
}

int main(void)
{
        hcreate(10);
        restore_run();
        return 0;
}
