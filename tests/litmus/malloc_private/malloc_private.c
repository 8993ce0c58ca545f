/* Allocation as such orders nothing. */
#include <stdlib.h>
#include <string.h>

#include "../litmus.h"

static void *worker(void *arg)
{
        for (int i = 1; i < 4; i++) {
                char *p = malloc(100 * i);
                p = realloc(p, 200 * i);
                memset(p, i, 200 * i);
                free(p);
        }
        return NULL;
}

int main(void)
{
        RUN(worker, worker, worker);
        return 0;
}
