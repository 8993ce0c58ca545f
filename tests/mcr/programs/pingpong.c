/* PingPong(N): threads take a pointer away and put it back. */
#include <pthread.h>

static int ball;
static int *player = &ball;

static void *play(void *arg)
{
        int *seen, *local;

        seen = player;
        if (!seen)
                return arg;
        local = player;
        player = 0;
        player = local;
        return arg;
}

int main(void)
{
        pthread_t t[N];

        for (int i = 0; i < N; i++)
                pthread_create(&t[i], 0, play, 0);
        for (int i = 0; i < N; i++)
                pthread_join(t[i], 0);
        return 0;
}
