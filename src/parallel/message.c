/*
 * Messages over a stream socket: a head, then the body.
 *
 * Invariant: `out` holds what was not sent yet from out.pos on, `in` what was not taken yet from in.pos on; what is
 * behind is dropped when all is, or when it is the larger part.
 */
#include "parallel/message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK    65536u
#define MAX_BODY (UINT64_C(1) << 32)

void message_fini(struct messages *m)
{
        if (m->fd >= 0)
                close(m->fd);
        m->fd = -1;
        stream_fini(&m->in);
        stream_fini(&m->out);
}

static void compact(struct stream *s)
{
        if (s->pos * 2 < s->n)
                return;
        if (s->n > s->pos)
                memmove(s->at, s->at + s->pos, s->n - s->pos);
        s->n -= s->pos;
        s->pos = 0;
}

void message_put(struct messages *m, uint32_t kind, uint32_t generation, const struct stream *body)
{
        struct message_head head = {.kind = kind, .generation = generation, .length = body ? body->n : 0};

        stream_put(&m->out, &head, sizeof head);
        if (body)
                stream_put(&m->out, body->at, body->n);
        m->out.failed = m->out.failed || (body && body->failed);
}

int message_send(struct messages *m)
{
        while (!m->out.failed && m->out.pos < m->out.n) {
                ssize_t n = send(m->fd, m->out.at + m->out.pos, m->out.n - m->out.pos, MSG_NOSIGNAL);
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return errno == EAGAIN ? 0 : -1;
                m->out.pos += (size_t)n;
        }
        compact(&m->out);
        return m->out.failed ? -1 : 0;
}

int message_receive(struct messages *m, bool wait)
{
        static unsigned char chunk[CHUNK];
        ssize_t n;

        do
                n = recv(m->fd, chunk, sizeof chunk, wait ? 0 : MSG_DONTWAIT);
        while (n < 0 && errno == EINTR);
        if (n < 0)
                return errno == EAGAIN ? 0 : -1;
        if (n == 0)
                return -1;
        compact(&m->in);
        stream_put(&m->in, chunk, (size_t)n);
        return m->in.failed ? -1 : 0;
}

int message_take(struct messages *m, struct message_head *head, struct stream *body)
{
        size_t there = m->in.n - m->in.pos;

        if (there < sizeof *head)
                return 0;
        memcpy(head, m->in.at + m->in.pos, sizeof *head);
        if (head->kind >= MESSAGE_KINDS || head->length > MAX_BODY)
                return -1;
        if (there - sizeof *head < head->length)
                return 0;
        stream_reset(body);
        stream_put(body, m->in.at + m->in.pos + sizeof *head, head->length);
        m->in.pos += sizeof *head + head->length;
        return body->failed ? -1 : 1;
}
