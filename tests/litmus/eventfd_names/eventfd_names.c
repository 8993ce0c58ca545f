/* eventfd_read and eventfd_write, which libc makes of system calls of its own; and poll waits for what they write. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

static int counter;
int sum;

static void *worker(void *arg)
{
        assert(eventfd_write(counter, 2) == 0);
        return NULL;
}

int main(void)
{
        struct pollfd p = {.events = POLLIN};
        pthread_t t[2];
        eventfd_t v;

        p.fd = counter = eventfd(0, EFD_SEMAPHORE);
        for (int i = 0; i < 2; i++)
                pthread_create(&t[i], NULL, worker, NULL);
        assert(poll(&p, 1, -1) == 1);
        for (int i = 0; i < 4; i++) {
                assert(eventfd_read(counter, &v) == 0 && v == 1);
                sum += (int)v;
        }
        for (int i = 0; i < 2; i++)
                pthread_join(t[i], NULL);
        return 0;
}
