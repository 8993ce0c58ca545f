/* See outside.h. */
#include "rt/io/outside.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/io/socket.h"
#include "rt/sched/path.h"
#include "rt/threads.h"
#include "rt/util.h"

#define CHUNK 512u

static size_t words_of(uint64_t head)
{
        return REC_FOLLOWS(head) && REC_RESULT(head) > 0 ? ((size_t)REC_RESULT(head) + 7) / 8 : 0;
}

static void pass_data(uint64_t head)
{
        uint64_t word;

        for (size_t i = words_of(head); i && path_input(REC_CALL, &word); i--)
                ;
}

/* Bytes into the buffers, from *at of the first one on. */
static void scatter(const struct iovec **v, size_t *at, const void *from, size_t size, uintptr_t site)
{
        for (size_t done = 0, part; done < size; done += part) {
                for (; *at == (*v)->iov_len; ++*v)
                        *at = 0;
                part = (*v)->iov_len - *at;
                part = part < size - done ? part : size - done;
                call_out((char *)(*v)->iov_base + *at, (const char *)from + done, part, site);
                *at += part;
        }
}

static size_t room_in(const struct iovec *v, size_t n)
{
        size_t size = 0;

        for (size_t i = 0; i < n; i++)
                size += v[i].iov_len;
        return size;
}

bool outside_read(ssize_t *r, int fd, const struct iovec *v, size_t n, uintptr_t site)
{
        uint64_t head, part[CHUNK / 8];
        size_t all, in = 0;

        if (!path_on || !path_input(REC_CALL, &head))
                return false;
        all = REC_RESULT(head) > 0 ? (size_t)REC_RESULT(head) : 0;
        if (!REC_FOLLOWS(head) || all > room_in(v, n)) {
                pass_data(head);
                return false;
        }
        for (size_t at = 0; at < all; at += CHUNK) {
                size_t size = all - at < CHUNK ? all - at : CHUNK;
                for (size_t i = 0; i < (size + 7) / 8; i++)
                        if (!path_input(REC_CALL, &part[i]))
                                part[i] = 0;
                scatter(&v, &in, part, size, site);
        }
        rt_syscall6(SYS_lseek, fd, (long)all, SEEK_CUR, 0, 0, 0);
        *r = REC_RESULT(head);
        if (*r < 0)
                errno = REC_ERROR(head);
        return true;
}

void outside_pass(void)
{
        uint64_t head;

        if (path_on && path_input(REC_CALL, &head))
                pass_data(head);
}

int outside_connected(int fd, int r)
{
        struct endpoint *s = socket_at(fd);
        uint64_t head;

        if (!path_on || !path_input(REC_CALL, &head) || !r || (s && s->phase == SOCKET_CONNECTED))
                return r;
        if (s && (!REC_RESULT(head) || REC_ERROR(head) == EINPROGRESS))
                s->phase = SOCKET_OUTSIDE;
        errno = REC_ERROR(head);
        return REC_RESULT(head);
}

bool outside_takes(int fd)
{
        const struct endpoint *s = path_on && rt_cur ? socket_at(fd) : NULL;

        return s && s->phase == SOCKET_OUTSIDE;
}
