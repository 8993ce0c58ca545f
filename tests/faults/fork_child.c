/* The program forks; the child is none of our business, and must not answer in its parent's place. */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
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
        int status;
        pid_t child = fork();

        if (child == 0)
                _exit(7);
        assert(waitpid(child, &status, 0) == child);
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
        pthread_create(&a, NULL, worker, NULL);
        pthread_create(&b, NULL, worker, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
