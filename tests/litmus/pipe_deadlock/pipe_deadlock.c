/* Each of two threads waits for the other to write first; and no thread closes. */
#include <pthread.h>
#include <unistd.h>

static int to[2], back[2];

static void *worker(void *arg)
{
        char c;

        if (read(to[0], &c, 1) == 1)
                write(back[1], &c, 1);
        return NULL;
}

int main(void)
{
        pthread_t thread;
        char c;

        pipe(to);
        pipe(back);
        pthread_create(&thread, NULL, worker, NULL);
        if (read(back[0], &c, 1) == 1)
                write(to[1], &c, 1);
        pthread_join(thread, NULL);
        return 0;
}
