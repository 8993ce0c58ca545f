/* Writes far beyond a heap block, then uses the heap. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *arg)
{
        volatile char *block = malloc(16);

        for (int i = 0; i < 4096; i++)
                block[i] = (char)0xff;
        free((void *)block);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        for (int i = 0; i < 100; i++)
                free(malloc((size_t)i));
        pthread_join(thread, NULL);
        for (int i = 0; i < 100; i++)
                free(malloc((size_t)i));
        return 0;
}
