/* A thread that ends in the initialiser: the next one runs it again. */
#include "../litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
int calls;

static void init(void)
{
        if (calls++ == 0)
                pthread_exit(NULL);
}

static void *worker(void *arg)
{
        pthread_once(&once, init);
        return NULL;
}

int main(void)
{
        RUN(worker, worker);
        return 0;
}
