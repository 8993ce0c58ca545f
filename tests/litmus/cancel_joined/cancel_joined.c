/* A request for a thread that has ended, and may have been joined, is as visible as any other, and answers 0. */
#include <pthread.h>

static pthread_t threads[2];
static volatile int x;
int seen, wrong;

static void *ends(void *arg)
{
        pthread_testcancel();
        return arg;
}

static void *asks(void *arg)
{
        x = 1;
        wrong = pthread_cancel(threads[0]) != 0;
        x = 2;
        return arg;
}

int main(void)
{
        void *value;

        pthread_create(&threads[0], NULL, ends, NULL);
        pthread_create(&threads[1], NULL, asks, NULL);
        pthread_join(threads[0], &value);
        seen = x * 2 + (value == PTHREAD_CANCELED);
        pthread_join(threads[1], NULL);
        return 0;
}
