/* One combination of values is within --depth, the other is not.  mcr meets that first as a data race, by a probe, which counts for nothing. */
#include <pthread.h>

static int x, y;

static void *reader(void *arg)
{
        if (x)
                for (int i = 0; i < 30; i++)
                        y = i;
        return arg;
}

static void *writer(void *arg)
{
        y = 1;
        x = 1;
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, 0, reader, 0);
        pthread_create(&b, 0, writer, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
}
