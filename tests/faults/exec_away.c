/* The process becomes another program in the middle of an execution. */
#include <pthread.h>
#include <unistd.h>

static void *worker(void *arg)
{
        execl("/bin/true", "true", (char *)NULL);
        return NULL;
}

int main(void)
{
        pthread_t thread;

        pthread_create(&thread, NULL, worker, NULL);
        pthread_join(thread, NULL);
        return 0;
}
