/* assume_abort_if_not is an assumption: the program's own one, too. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifdef OWN
void assume_abort_if_not(int condition)
{
        if (!condition) {
                abort();
        }
}
#else
void assume_abort_if_not(int condition);
#endif

static int x;

static void *thread(void *arg)
{
        x = 1;
        return arg;
}

int main(void)
{
        pthread_t t;
        int seen;

        pthread_create(&t, NULL, thread, NULL);
        seen = x;
        pthread_join(t, NULL);
        assume_abort_if_not(seen);
        assert(seen);
        return 0;
}
