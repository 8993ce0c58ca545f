/* libc writes by itself what dprintf prints: to a pipe that is refused, elsewhere it is not an event. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *worker(void *arg)
{
        dprintf(2, "%d\n", 1);
        dprintf(ends[1], "hello");
        return NULL;
}

int main(void)
{
        char text[8];
        pthread_t t;

        pipe(ends);
        pthread_create(&t, NULL, worker, NULL);
        read(ends[0], text, sizeof text);
        pthread_join(t, NULL);
        return 0;
}
