/* Each thread creates the next and joins it. */
#include <pthread.h>
#include <stdint.h>

int depth;

static void *descend(void *arg)
{
        intptr_t left = (intptr_t)arg;
        pthread_t thread;

        depth++;
        if (left > 0) {
                pthread_create(&thread, NULL, descend, (void *)(left - 1));
                pthread_join(thread, NULL);
        }
        return NULL;
}

int main(void)
{
        descend((void *)5);
        return 0;
}
