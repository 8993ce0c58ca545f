/* poll over two pipes: whichever is written first, or both. */
#include <assert.h>
#include <poll.h>
#include <unistd.h>

#include "../litmus.h"

static int a[2], b[2];
int ready, rest;

static void *writer_a(void *arg)
{
        write(a[1], "a", 1);
        return NULL;
}

static void *writer_b(void *arg)
{
        write(b[1], "b", 1);
        return NULL;
}

static int ask(int timeout)
{
        struct pollfd p[] = {{.fd = a[0], .events = POLLIN}, {.fd = b[0], .events = POLLIN}};
        int n = poll(p, 2, timeout);

        assert(n == !!p[0].revents + !!p[1].revents);
        return !!p[0].revents + 2 * !!p[1].revents;
}

int main(void)
{
        pthread_t t[2];

        pipe(a);
        pipe(b);
        pthread_create(&t[0], NULL, writer_a, NULL);
        pthread_create(&t[1], NULL, writer_b, NULL);
        ready = ask(-1);
        pthread_join(t[0], NULL);
        pthread_join(t[1], NULL);
        rest = ask(0);
        return 0;
}
