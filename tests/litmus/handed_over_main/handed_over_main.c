/* main races with the thread it created. */
#include <pthread.h>

int x;

static void *increment(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, increment, NULL);
        x++;
        pthread_join(thread, NULL);
        return 0;
}
