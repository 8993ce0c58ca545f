/* A loop that tries a C11 lock waits for it. */
#include <threads.h>

static mtx_t lock;
int x;

static int worker(void *arg)
{
        while (mtx_trylock(&lock) != thrd_success)
                ;
        x++;
        mtx_unlock(&lock);
        return 0;
}

int main(void)
{
        thrd_t t[2];

        mtx_init(&lock, mtx_plain);
        for (int i = 0; i < 2; i++)
                thrd_create(&t[i], worker, NULL);
        for (int i = 0; i < 2; i++)
                thrd_join(t[i], NULL);
        return x != 2;
}
