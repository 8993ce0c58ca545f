/* A driver is stopped while REQUESTS requests come in: one passes the test, and finds the driver gone (after the Bluetooth
 * driver of Qadeer and Wu, PLDI 2004). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef REQUESTS
#define REQUESTS 1
#endif

static atomic_int pending = 1;
static atomic_bool stopping, stopped;

static void leave(void)
{
        if (atomic_fetch_sub(&pending, 1) == 1)
                stopped = true;
}

static void *request(void *arg)
{
        if (stopping)
                return arg;
        atomic_fetch_add(&pending, 1);
        assert(!stopped);
        leave();
        return arg;
}

static void *stop(void *arg)
{
        stopping = true;
        leave();
        return arg;
}

int main(void)
{
        pthread_t t[REQUESTS + 1];

        for (int i = 0; i <= REQUESTS; i++)
                pthread_create(&t[i], NULL, i ? request : stop, NULL);
        for (int i = 0; i <= REQUESTS; i++)
                pthread_join(t[i], NULL);
        return 0;
}
