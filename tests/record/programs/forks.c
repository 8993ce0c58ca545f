/* Children of a fork take other paths, and end with a status of their own: the recording is that of the parent. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int x;

static void *add(void *arg)
{
        for (int i = 0; i < 3; i++)
                if (x < 100)
                        x++;
        return arg;
}

/* How the child of the process ends. */
static int child(pid_t pid)
{
        int status;

        waitpid(pid, &status, 0);
        return WEXITSTATUS(status);
}

int main(void)
{
        pthread_t t;
        pid_t pid = fork();

        if (!pid) {
                for (int i = 0; i < 100000; i++)
                        if (rand() % 3)
                                x++;
                exit(3);
        }
        if (child(pid) != 3)
                return 4;
        pid = vfork();
        if (!pid)
                _exit(5);
        if (child(pid) != 5)
                return 6;
        pthread_create(&t, NULL, add, NULL);
        pthread_join(t, NULL);
        assert(x != 3);
        return 0;
}
