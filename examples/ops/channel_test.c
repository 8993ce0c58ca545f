/* A producer, a thread that passes items on, and a consumer: the items arrive in order. */
#include <assert.h>
#include <pthread.h>

#include "channel.h"

#ifndef ITEMS
#define ITEMS 3
#endif
static struct channel in, out;

static void *producer(void *arg)
{
        for (int i = 1; i <= ITEMS; i++)
                channel_send(&in, i);
        return arg;
}

static void *mover(void *arg)
{
        for (int i = 0; i < ITEMS; i++)
                assert(channel_move(&in, &out) == 0);
        return arg;
}

int main(void)
{
        pthread_t t[2];

        pthread_create(&t[0], NULL, producer, NULL);
        pthread_create(&t[1], NULL, mover, NULL);
        for (int i = 1; i <= ITEMS; i++)
                assert(channel_receive(&out) == i);
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
