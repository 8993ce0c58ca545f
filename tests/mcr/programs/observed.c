/* A store of a thread that is not joined: whether it has reached memory when main exits, only the observation shows. */
#include <pthread.h>

int own, x;

static void *thread(void *arg)
{
        x = 1;
        return arg;
}

int main(void)
{
        pthread_t t;

        pthread_create(&t, 0, thread, 0);
        own = 1;
        return 0;
}
