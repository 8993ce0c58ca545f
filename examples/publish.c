/*
 * A message is filled in, then announced by a flag.  Where stores to different places may reach memory in another order than
 * they were made, the flag can be up before the message is there.
 *
 *     heddle check --memory tso publish.c    no failure: x86 keeps stores in order
 *     heddle check --memory pso publish.c    the reader finds an empty message
 *     heddle check --memory pso -DORDER=memory_order_release publish.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static struct {
        int length;
        char text[12];
} message;
static atomic_int ready;

static void *writer(void *arg)
{
        message.length = 5;
        atomic_store_explicit(&ready, 1, ORDER);
        return arg;
}

static void *reader(void *arg)
{
        if (atomic_load_explicit(&ready, memory_order_acquire))
                assert(message.length == 5);
        return arg;
}

int main(void)
{
        pthread_t a, b;

        pthread_create(&a, NULL, writer, NULL);
        pthread_create(&b, NULL, reader, NULL);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        return 0;
}
