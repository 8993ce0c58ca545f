#include <assert.h>
#include <pthread.h>

extern int balance;
void deposit(int amount);

static void *run(void *arg)
{
        (void)arg;
        deposit(10);
        return NULL;
}

int main(void)
{
        pthread_t t[2];

        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, run, NULL);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        assert(balance == 20);
        return 0;
}
