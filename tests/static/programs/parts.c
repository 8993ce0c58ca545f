/* A variable that one part writes and another inspects.  PART: 0 the whole without the inspection, 1 what writes, 2 the rest. */
#include <pthread.h>
#include <stdlib.h>

extern int count;
void inspect(void);

#if PART < 2
int count;

static void *worker(void *unused)
{
        __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
        return unused;
}

int main(void)
{
        pthread_t a;

        pthread_create(&a, 0, worker, 0);
#if PART == 1
        inspect();
#else
        __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
#endif
        pthread_join(a, 0);
        return 0;
}
#endif

#if PART == 2
void inspect(void)
{
        if (__atomic_load_n(&count, __ATOMIC_SEQ_CST))
                abort();
}
#endif
