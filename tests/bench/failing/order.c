/* The first of THREADS threads leaves a mark for a moment, which the last one must not see and the second one overwrites.
 * Each does NOISE steps before and after. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef NOISE
#define NOISE 3
#endif

static atomic_int mark, noise[THREADS];

static void *step(void *arg)
{
        int me = (int)(long)arg;

        for (int i = 0; i < NOISE; i++)
                atomic_fetch_add(&noise[(me + i) % THREADS], 1);
        if (me == THREADS - 1)
                assert(mark != 1);
        else if (me == 0)
                mark = 1;
        else if (me == 1)
                atomic_store(&mark, 2);
        for (int i = 0; i < NOISE; i++)
                atomic_fetch_add(&noise[(me + i) % THREADS], 1);
        if (me == 0)
                mark = 3;
        return arg;
}

int main(void)
{
        pthread_t t[THREADS];

        for (long i = 0; i < THREADS; i++)
                pthread_create(&t[i], NULL, step, (void *)i);
        for (int i = 0; i < THREADS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
