/* See socket.h. */
#include "rt/io/socket.h"

#include <poll.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/rt.h"
#include "rt/threads.h"
#include "rt/util.h"

#define MAX_ENDPOINTS 64u
#define FIRST_PORT    49152u

struct table {
        struct endpoint of[MAX_ENDPOINTS];
        uint32_t n;                /* the highest in use + 1 */
        uint8_t at[SOCKET_MAX_FD]; /* + 1: the endpoint of a descriptor; 0: none */
        bool kept[SOCKET_MAX_FD];  /* the descriptor is the runtime's: the program has closed the last */
        int n_fds;                 /* the highest descriptor + 1 */
        bool any;
};

static struct table now, saved;

struct endpoint *socket_at(int fd)
{
        return fd >= 0 && fd < now.n_fds && now.at[fd] ? &now.of[now.at[fd] - 1] : NULL;
}

bool socket_any(void)
{
        return now.n > 0 || now.any;
}

static void put_at(int fd, const struct endpoint *s)
{
        if (fd >= SOCKET_MAX_FD)
                rt_refuse("sockets with descriptors above 1023");
        now.at[fd] = (uint8_t)(s - now.of + 1);
        if (fd >= now.n_fds)
                now.n_fds = fd + 1;
}

struct endpoint *socket_made(int fd, int domain)
{
        uint32_t i = 0;

        while (i < now.n && now.of[i].phase)
                i++;
        if (i == MAX_ENDPOINTS)
                rt_refuse("more than 64 sockets at a time");
        if (i == now.n)
                now.n++;
        now.any = true;
        rt_zero(&now.of[i], sizeof now.of[i]);
        now.of[i].phase = SOCKET_FRESH;
        now.of[i].domain = domain;
        put_at(fd, &now.of[i]);
        return &now.of[i];
}

void socket_duplicated(int from, int to)
{
        if (socket_at(from))
                put_at(to, socket_at(from));
}

void socket_each(const struct endpoint *s, void (*f)(void *arg, int fd), void *arg)
{
        for (int fd = 0; fd < now.n_fds; fd++)
                if (socket_at(fd) == s)
                        f(arg, fd);
}

bool socket_is_carried(const struct endpoint *s)
{
        return s && s->domain != AF_UNIX && (s->phase == SOCKET_LISTENS || s->phase == SOCKET_CONNECTED);
}

/* Addresses. */

static uint16_t port_of(const struct socket_name *n)
{
        return n->any.sa_family == AF_INET6 ? n->in6.sin6_port : n->in.sin_port;
}

static bool same_bytes(const void *a, const void *b, size_t n)
{
        const char *x = a, *y = b;

        while (n && *x == *y) {
                x++;
                y++;
                n--;
        }
        return n == 0;
}

static bool is_any(const struct socket_name *n)
{
        static const struct in6_addr zero;

        return n->any.sa_family == AF_INET6 ? same_bytes(&n->in6.sin6_addr, &zero, sizeof zero)
                                            : n->in.sin_addr.s_addr == 0;
}

/* Does what is sent to `to` reach a socket with this name? */
static bool reaches(const struct socket_name *to, const struct socket_name *name)
{
        if (to->any.sa_family == AF_UNIX || name->any.sa_family == AF_UNIX)
                return to->size == name->size && same_bytes(&to->un, &name->un, name->size);
        if (port_of(to) != port_of(name))
                return false;
        if (is_any(name) || is_any(to))
                return name->any.sa_family == AF_INET6 || to->any.sa_family == AF_INET;
        if (to->any.sa_family != name->any.sa_family)
                return false;
        return to->any.sa_family == AF_INET ? to->in.sin_addr.s_addr == name->in.sin_addr.s_addr
                                            : same_bytes(&to->in6.sin6_addr, &name->in6.sin6_addr, 16);
}

struct endpoint *socket_find(const struct socket_name *name, enum socket_phase phase)
{
        for (uint32_t i = 0; i < now.n; i++)
                if (now.of[i].phase == phase && !now.of[i].replaced && reaches(name, &now.of[i].name))
                        return &now.of[i];
        return NULL;
}

uint16_t socket_port(void)
{
        struct thread *t = rt_cur;

        for (;;) {
                uint16_t port =
                        htons((uint16_t)(FIRST_PORT + (t->id * 128 + t->channel.n_ports++) % (65536 - FIRST_PORT)));
                bool taken = false;

                for (uint32_t i = 0; i < now.n; i++)
                        taken |= now.of[i].phase > SOCKET_FRESH && now.of[i].domain != AF_UNIX &&
                                 port_of(&now.of[i].name) == port;
                if (!taken)
                        return port;
        }
}

bool socket_is_full(uint64_t channel)
{
        for (uint32_t i = 0; i < now.n; i++)
                if (now.of[i].phase == SOCKET_LISTENS && now.of[i].channel == channel)
                        return now.of[i].n_waiting > (uint32_t)now.of[i].backlog;
        return false;
}

static struct waiting *find_waiting(uint64_t channel)
{
        for (uint32_t i = 0; now.any && i < now.n; i++)
                for (uint32_t k = 0; now.of[i].phase == SOCKET_LISTENS && k < now.of[i].n_waiting; k++)
                        if (now.of[i].waiting[k].in == channel)
                                return &now.of[i].waiting[k];
        return NULL;
}

bool socket_is_ready(uint64_t channel)
{
        const struct waiting *w = find_waiting(channel);

        return !w || w->ready;
}

void socket_filled(uint64_t channel)
{
        struct waiting *w = find_waiting(channel);

        if (w)
                w->ready = true;
}

/* Closing. */

bool socket_is_last(int fd)
{
        for (int i = 0; i < now.n_fds; i++)
                if (i != fd && now.at[i] == now.at[fd])
                        return false;
        return true;
}

bool socket_closes_name(int fd)
{
        const struct endpoint *s = socket_at(fd);

        return s && (s->phase == SOCKET_BOUND || s->phase == SOCKET_LISTENS) && socket_is_last(fd);
}

void socket_forget(int fd)
{
        now.at[fd] = 0;
}

void socket_keep(int fd, bool on)
{
        if (fd >= SOCKET_MAX_FD)
                rt_refuse("sockets with descriptors above 1023");
        now.kept[fd] = on;
        if (fd >= now.n_fds)
                now.n_fds = fd + 1;
}

int socket_next_kept(int fd)
{
        while (fd < now.n_fds && !now.kept[fd])
                fd++;
        return now.any && fd < now.n_fds ? fd : -1;
}

/* The snapshot. */

const char *socket_save(void)
{
        for (uint32_t i = 0; i < now.n; i++)
                if (now.of[i].phase == SOCKET_LISTENS && now.of[i].n_waiting)
                        return "a connection that is not accepted when its first thread is created";
        if (socket_next_kept(0) >= 0)
                return "a TCP connection that one side has closed when its first thread is created";
        for (uint32_t i = 0; i < now.n; i++)
                now.of[i].older = now.of[i].phase == SOCKET_FRESH || now.of[i].phase == SOCKET_BOUND;
        if (now.any)
                rt_copy(&saved, &now, sizeof now);
        return NULL;
}

void socket_restore(void)
{
        uint32_t n = now.n > saved.n ? now.n : saved.n;

        if (!now.any)
                return;
        rt_copy(now.of, saved.of, n * sizeof *now.of);
        rt_copy(&now.n, &saved.n, sizeof now - offsetof(struct table, n));
        now.any = true;
}

long socket_listen(struct endpoint *s, int fd)
{
        const struct sockaddr_un none = {.sun_family = AF_UNIX};
        long r = rt_syscall6(SYS_bind, fd, (long)&none, sizeof none.sun_family, 0, 0, 0);

        s->kernel.size = sizeof s->kernel.un;
        if (!r)
                r = rt_syscall6(SYS_getsockname, fd, (long)&s->kernel.un, (long)&s->kernel.size, 0, 0, 0);
        return r ? r : rt_syscall6(SYS_listen, fd, s->backlog, 0, 0, 0, 0);
}

int socket_again(uint64_t channel)
{
        for (uint32_t i = 0; i < saved.n; i++)
                if (saved.of[i].phase == SOCKET_LISTENS && saved.of[i].channel == channel) {
                        int fd = (int)rt_syscall6(SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0, 0, 0);

                        if (fd < 0 || socket_listen(&saved.of[i], fd))
                                return -1;
                        now.of[i].kernel = saved.of[i].kernel;
                        return fd;
                }
        return -1;
}

void socket_drain(int fd)
{
        struct pollfd p = {.fd = fd, .events = POLLIN};

        while (rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0) == 1 && (p.revents & POLLIN)) {
                long one = rt_syscall6(SYS_accept4, fd, 0, 0, 0, 0, 0);

                if (one < 0)
                        return;
                rt_syscall6(SYS_close, one, 0, 0, 0, 0, 0);
        }
}
