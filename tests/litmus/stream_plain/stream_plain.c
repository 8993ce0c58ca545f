/* Streams that no thread locks by flockfile are not objects. */
#include <stdio.h>

#include "../litmus.h"

static void *worker(void *arg)
{
        for (int i = 0; i < 3; i++)
                printf("%d\n", i);
        fflush(NULL);
        return NULL;
}

int main(void)
{
        RUN(worker, worker, worker);
        return 0;
}
