/* The pointer is not there yet in one of the two orders. */
#include "../litmus.h"

static int value;
static int *volatile pointer;

static void *writer(void *arg)
{
        pointer = &value;
        return NULL;
}

static void *reader(void *arg)
{
        *pointer = 1;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
