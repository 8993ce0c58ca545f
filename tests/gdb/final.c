/* An update is lost, which only --final tells. */
#include <pthread.h>

int count;

int both_counted(void)
{
        return count == 2;
}

static void *add(void *arg)
{
        count++;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, add, NULL);
        pthread_create(&t[1], NULL, add, NULL);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        return 0;
}
