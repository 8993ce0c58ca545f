/* A section that begins with a choice reads what another thread writes: the other one stops after that write, too. */
#include <heddle/heddle.h>
#include <pthread.h>

int x, seen = -1, chosen, after;

static void *section(void *arg)
{
        heddle_atomic_begin();
        chosen = (int)heddle_choose(2);
        seen = x;
        heddle_atomic_end();
        return arg;
}

static void *writer(void *arg)
{
        x = 3;
        after = 1;
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, section, NULL);
        pthread_create(&t[1], NULL, writer, NULL);
        pthread_join(t[0], NULL);
        pthread_detach(t[1]);
        return 0;
}
