/* State that libc hides: were it not put back, the executions would differ. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../litmus.h"

int x;
static int calls;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        char words[] = "a b c";
        int first = rand();

        RUN(worker, worker);
        printf("%d\n", first);
        assert(strcmp(strtok(words, " "), "a") == 0);
        assert(strcmp(strtok(NULL, " "), "b") == 0);
        assert(++calls == 1);
        srand(1);
        assert(rand() == first);
        return 0;
}
