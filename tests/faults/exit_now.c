/* A thread ends the process by _exit(STATUS), past all handlers, while the other is at work. */
#include <pthread.h>
#include <unistd.h>

#ifndef STATUS
#define STATUS 0
#endif

static int x;

static void *leaver(void *arg)
{
        x++;
        _exit(STATUS);
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, leaver, NULL);
        x++;
        pthread_join(thread, NULL);
        return 0;
}
