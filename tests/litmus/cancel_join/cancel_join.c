/*
 * A thread that joins another is cancelled: while it waits, or when the other has ended (it may take either), or later.
 * If it ends while it waits, the other may still be joined.
 */
#include <assert.h>
#include <pthread.h>

static pthread_t first;
int x, cancelled;

static void *ends(void *arg)
{
        x = 1;
        return NULL;
}

static void *joins(void *arg)
{
        pthread_join(first, NULL);
        x = 2;
        pthread_testcancel();
        x = 3;
        return NULL;
}

int main(void)
{
        pthread_t second;
        void *value;

        pthread_create(&first, NULL, ends, NULL);
        pthread_create(&second, NULL, joins, NULL);
        pthread_cancel(second);
        pthread_join(second, &value);
        cancelled = value == PTHREAD_CANCELED;
        if (cancelled && x < 2)
                assert(pthread_join(first, NULL) == 0);
        return 0;
}
