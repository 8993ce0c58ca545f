/* Two threads draw numbers from a state of libc: each can tell whether it was first.  Where libc has no lock for it, the race is
 * looked for by another strategy. */
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *arg)
{
        *(long *)arg = DRAW();
        return 0;
}

int main(void)
{
        pthread_t t, u;
        long a, b;

        pthread_create(&t, 0, draw, &a);
        pthread_create(&u, 0, draw, &b);
        pthread_join(t, 0);
        pthread_join(u, 0);
        return 0;
}
