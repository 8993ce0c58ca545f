/* A store of the value that is there changes nothing, until another thread has written: the loop goes on, and end */
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, done; /* in one word */
int beside[4];

static void *resets(void *arg)
{
        while (flag != 1)
                ;
        flag = 0;
        while (flag != 1)
                ;
        done = 1;
        return arg;
}

static void *insists(void *arg)
{
        for (;;) {
                flag = 1;
                if (done)
                        return arg;
        }
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, resets, NULL);
        pthread_create(&b, NULL, insists, NULL);
        pthread_join(b, NULL);
        pthread_join(a, NULL);
        return 0;
}
