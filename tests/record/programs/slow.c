/* A thread sleeps in a loop for seconds: a recording that does not wait for it calls that a hang. */
#include <pthread.h>
#include <unistd.h>
static volatile int n;
static void *work(void *arg)
{
        while (n < 5000) {
                usleep(1000);
                n++;
        }
        return arg;
}
int main(void)
{
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        return pthread_join(t, 0);
}
