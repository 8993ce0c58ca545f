/* Prints more than any pipe holds, in every execution. */
#include <pthread.h>
#include <stdio.h>

static int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        for (int i = 0; i < 20000; i++) {
                puts("a line of output that nobody reads");
                fputs("and one of messages\n", stderr);
        }
        pthread_create(&a, NULL, worker, NULL);
        pthread_create(&b, NULL, worker, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
