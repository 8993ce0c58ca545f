/* SIGFPE is a crash. */
#include "../litmus.h"

static volatile int divisor, result;

static void *writer(void *arg)
{
        divisor = 1;
        return NULL;
}

static void *reader(void *arg)
{
        result = 10 / divisor;
        return NULL;
}

int main(void)
{
        RUN(writer, reader);
        return 0;
}
