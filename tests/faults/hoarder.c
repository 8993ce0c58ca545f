/*
 * A thread takes memory without end and writes to all of it.  With POLITE it stops when there is none.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *hoard(void *arg)
{
        for (;;) {
                char *p = malloc(1 << 20);
#ifdef POLITE
                if (!p)
                        return arg;
#endif
                memset(p, 1, 1 << 20);
        }
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, hoard, NULL);
        pthread_join(thread, NULL);
        return 0;
}
