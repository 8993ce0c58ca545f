/* An order violation: the new thread uses what its creator sets after creating it. */
#include "bugs.h"

static pthread_t worker;
static int *_Atomic buffer;
static int cell = 5;

static void *work(void *arg)
{
        int *b = buffer;

        assert(b && *b == 5);
        return arg;
}

int main(void)
{
#ifdef FIXED
        buffer = &cell;
        pthread_create(&worker, NULL, work, NULL);
#else
        pthread_create(&worker, NULL, work, NULL);
        buffer = &cell;
#endif
        pthread_join(worker, NULL);
        return 0;
}
