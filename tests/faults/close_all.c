/* Closes every descriptor, ours included. */
#include <pthread.h>
#include <unistd.h>

static int x;

static void *worker(void *arg)
{
        x++;
        return NULL;
}

int main(void)
{
        pthread_t a, b;

        for (int fd = 3; fd < 1024; fd++)
                close(fd);
        pthread_create(&a, NULL, worker, NULL);
        pthread_create(&b, NULL, worker, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
