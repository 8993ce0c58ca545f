/* Szymanski's mutual exclusion for two threads: the one that waits for the other to reach 4 may come too late, a livelock. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int flag[2];
static int in;
static void *run(void *arg)
{
        int i = arg != 0, j = !i;
        flag[i] = 1;
        while (flag[j] >= 3)
                ;
        flag[i] = 3;
        if (flag[j] == 1) {
                flag[i] = 2;
                while (flag[j] != 4)
                        ;
        }
        flag[i] = 4;
        while (i == 1 && flag[j] >= 2)
                ;
        in++;
        assert(in == 1);
        in--;
        while (i == 0 && (flag[j] == 2 || flag[j] == 3))
                ;
        flag[i] = 0;
        return 0;
}
int main(void)
{
        pthread_t t;
        pthread_create(&t, 0, run, (void *)1);
        run(0);
        pthread_join(t, 0);
        return 0;
}
