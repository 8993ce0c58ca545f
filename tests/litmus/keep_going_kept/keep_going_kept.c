/* Both threads wait for each other, a livelock; and both come back to earlier states where they try two locks. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], other[2], turn;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void both(int i)
{
        for (;;) {
                pthread_mutex_lock(&m[i]);
                if (pthread_mutex_trylock(&m[!i]) == 0)
                        break;
                pthread_mutex_unlock(&m[i]);
        }
        pthread_mutex_unlock(&m[!i]);
        pthread_mutex_unlock(&m[i]);
}
static void *run(void *arg)
{
        int i = arg != NULL;
        flag[i] = 1;
        while (flag[!i] == 1 && other[!i] == 0 && turn == 0)
                ;
        flag[i] = 0;
        both(i);
        return NULL;
}
int main(void)
{
        pthread_t t;
        pthread_create(&t, NULL, run, (void *)1);
        run(0);
        pthread_join(t, NULL);
        return 0;
}
