/* A message is published by a plain flag that is set too early. */
#include "bugs.h"

static int data;
static volatile int ready;

static void *producer(void *arg)
{
#ifdef FIXED
        data = 42;
        ready = 1;
#else
        ready = 1;
        data = 42;
#endif
        return arg;
}

static void *consumer(void *arg)
{
        if (ready)
                assert(data == 42);
        return arg;
}

int main(void)
{
        RUN(producer, consumer);
        return 0;
}
