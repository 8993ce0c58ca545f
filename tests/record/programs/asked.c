/* Runs until it is told to end; somebody asks for a recording meanwhile. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int x, y;

static void *run(void *arg)
{
        for (int i = 0; i < 40; i++) {
                if (x % 3 == 0)
                        y++;
                x++;
                usleep(25000);
        }
        return arg;
}

int main(void)
{
        pthread_t t[2];

        printf("ready %d\n", (int)getpid());
        fflush(stdout);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, run, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
