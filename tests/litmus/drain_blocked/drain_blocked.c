/*
 * A write to a pipe waits for the store before it to reach memory: where a run is cut before that, nothing else keeps it from
 * running, and what others did with the pipe is not a reason to let it go first.
 */
#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../litmus.h"

static int ends[2];
static int x;
int seen, ready, late;

static void *writer(void *arg)
{
        x = 1;
        write(ends[1], "", 1);
        return arg;
}

static void *poller(void *arg)
{
        ready = poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 1000);
        return arg;
}

int main(void)
{
        pthread_t threads[2];

        if (pipe(ends))
                return 1;
        pthread_create(&threads[0], NULL, writer, NULL);
        pthread_create(&threads[1], NULL, poller, NULL);
        seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
        pthread_join(threads[0], NULL);
        late = pthread_tryjoin_np(threads[1], NULL);
        if (late)
                pthread_join(threads[1], NULL);
        return 0;
}
