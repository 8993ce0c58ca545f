/* What is chosen, other than threads: values, and which thread is woken.  All nine outcomes must come. */
#include <heddle/heddle.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, turn;
int first, value;

static void *wait_here(void *arg)
{
        pthread_mutex_lock(&m);
        waiting++;
        pthread_cond_wait(&c, &m);
        if (!turn++)
                first = *(int *)arg;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        return NULL;
}

int main(void)
{
        static int number[3] = {1, 2, 3};
        pthread_t t[3];

        for (int i = 0; i < 3; i++)
                pthread_create(&t[i], NULL, wait_here, &number[i]);
        pthread_mutex_lock(&m);
        heddle_assume(waiting == 3);
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 3; i++)
                pthread_join(t[i], NULL);
        value = (int)heddle_choose(3);
        return 0;
}
