/* Figure 5.6. */
#include <pthread.h>
#include <stdint.h>

static int v[3];

static void *reads(void *arg)
{
        int r = v[(intptr_t)arg];

        (void)r;
        return arg;
}

static void *writes(void *arg)
{
        v[(intptr_t)arg] = 1;
        return arg;
}

int main(void)
{
        pthread_t t[6];

        for (intptr_t i = 0; i < 6; i++)
                pthread_create(&t[i], 0, i < 3 ? reads : writes, (void *)(i % 3));
        for (int i = 0; i < 6; i++)
                pthread_join(t[i], 0);
        return 0;
}
