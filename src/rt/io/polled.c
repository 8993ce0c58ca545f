/* See polled.h. */
#include "rt/io/polled.h"

#include "rt/trace/log.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/io/channel.h"
#include "rt/io/signal_object.h"

void polled_each(const struct pollfd *fds, uint32_t n, void (*f)(void *arg, uint64_t channel), void *arg)
{
        for (uint32_t i = 0; i < (fds ? n : CHANNEL_MAX_FD); i++) {
                const struct channel_end *e = channel_at(fds ? fds[i].fd : (int)i);

                if (fds && signal_object_of(fds[i].fd))
                        f(arg, signal_object_of(fds[i].fd));
                if (e && e->in)
                        f(arg, e->in);
                if (e && e->out && e->out != e->in)
                        f(arg, e->out);
        }
        if (!fds)
                f(arg, EPOLLS);
}

struct reader {
        struct thread *t;
        enum arrival how;
};

static void read_channel(void *arg, uint64_t channel)
{
        const struct reader *r = arg;

        op_also(r->t, r->how, OP_CHANNEL_POLL, channel, 8, WIRE_MODE_READ, channel_object(channel)->state);
}

void poll_read_awaited(struct thread *t, enum arrival how, const struct thread *of)
{
        struct reader r = {.t = t, .how = how};

        polled_each(of->poll.fds, of->poll.n, read_channel, &r);
}
