/* A detached thread whose work no thread looks at. */
#include <pthread.h>

static int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_detach(thread);
        return 0;
}
