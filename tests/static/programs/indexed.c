/* The index matters for an address only: the published rules do not see it, and lose the execution that reads a[1]. */
#include <pthread.h>
#include <stdlib.h>

static int index_, a[2] = {0, 5};

static void *thread(void *arg)
{
        a[0] = 1;
        index_ = 1;
        return arg;
}

int main(void)
{
        pthread_t t;
        int i, r;

        pthread_create(&t, 0, thread, 0);
        i = index_;
        r = a[i];
        if (r == 5)
                abort();
        pthread_join(t, 0);
        return 0;
}
