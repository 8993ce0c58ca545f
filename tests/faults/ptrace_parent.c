/* The program attaches to what has started it, which would stop heddle. */
#include <pthread.h>
#include <sys/ptrace.h>
#include <unistd.h>

static int x;

static void *work(void *arg)
{
        x++;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, NULL, work, NULL);
        pthread_join(t, NULL);
        ptrace(PTRACE_ATTACH, getppid(), 0, 0);
        return 0;
}
