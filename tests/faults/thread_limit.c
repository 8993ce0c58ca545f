/* More threads than heddle has room for: the one that starts them is stopped, the others run. */
#include <assert.h>
#include <pthread.h>

#define N 1500

static void *work(void *arg)
{
#ifdef BUG
        assert(arg);
#endif
        return arg;
}

int main(void)
{
        static pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], NULL, work, NULL);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], NULL);
        return 0;
}
