/* What is known of a stream socket: its names and its options.  Those of TCP are kept by nothing: they change when it sends, which no
 * thread can tell. */
#include <errno.h>
#include <netinet/tcp.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/fault.h"
#include "rt/io/socket.h"
#include "rt/rt.h"
#include "rt/threads.h"

static void tell(const struct socket_name *n, int fd, struct sockaddr *to, socklen_t *length, uintptr_t site)
{
        const struct socket_name name = *n;
        socklen_t room;

        call_in(length, sizeof *length, site);
        room = *length;
        effect_one(EFFECT_USE(effect_descriptor(fd)), site);
        call_out(to, &name.any, room < name.size ? room : name.size, site);
        call_out(length, &name.size, sizeof *length, site);
}

RT_EXPORT int getsockname(int fd, struct sockaddr *to, socklen_t *length)
{
        const struct endpoint *s = rt_cur ? socket_at(fd) : NULL;

        if (!s || !to || !length || s->phase == SOCKET_FRESH || s->phase == SOCKET_OUTSIDE)
                return (int)LISTED(getsockname, RT_SITE(), (uint64_t)fd, LISTED_POINTER(to), LISTED_POINTER(length));
        tell(&s->name, fd, to, length, RT_SITE());
        return 0;
}

RT_EXPORT int getpeername(int fd, struct sockaddr *to, socklen_t *length)
{
        const struct endpoint *s = rt_cur ? socket_at(fd) : NULL;

        if (!s || !to || !length || s->phase != SOCKET_CONNECTED)
                return (int)LISTED(getpeername, RT_SITE(), (uint64_t)fd, LISTED_POINTER(to), LISTED_POINTER(length));
        tell(&s->peer, fd, to, length, RT_SITE());
        return 0;
}

/* Options that change when data is sent, or how long a connection lives that is not used: not what it does. */
static bool is_harmless(int level, int option)
{
        if (level == IPPROTO_TCP)
                return option == TCP_NODELAY || option == TCP_KEEPIDLE || option == TCP_KEEPINTVL ||
                       option == TCP_KEEPCNT || option == TCP_QUICKACK || option == TCP_CORK ||
                       option == TCP_USER_TIMEOUT || option == TCP_DEFER_ACCEPT || option == TCP_FASTOPEN;
        return (level == IPPROTO_IP && option == IP_TOS) || (level == IPPROTO_IPV6 && option == IPV6_TCLASS);
}

/* Before it is known whether the socket is connected to another process, such an option is only noted. */
static void note_option(struct endpoint *s, int option)
{
        bool special = option == SO_RCVTIMEO || option == SO_SNDTIMEO || (option == SO_LINGER && s->domain != AF_UNIX);

        if (special && (s->phase == SOCKET_LISTENS || s->phase == SOCKET_CONNECTED))
                rt_refuse("SO_RCVTIMEO, SO_SNDTIMEO or SO_LINGER of a connection between threads");
        s->special |= special;
        s->shares_port |= option == SO_REUSEPORT;
}

RT_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t size)
{
        if (rt_cur && socket_is_carried(socket_at(fd))) {
                if (level != SOL_SOCKET && is_harmless(level, option)) {
                        call_in(value, size, RT_SITE());
                        effect_one(EFFECT_CHANGE(effect_descriptor(fd)), RT_SITE());
                        return 0;
                }
                if (level != SOL_SOCKET)
                        rt_refuse("setsockopt with an option that changes what TCP does");
        }
        if (rt_cur && socket_at(fd) && level == SOL_SOCKET)
                note_option(socket_at(fd), option);
        return (int)LISTED(setsockopt, RT_SITE(), (uint64_t)fd, (uint64_t)level, (uint64_t)option,
                           LISTED_POINTER(value), size);
}

RT_EXPORT int getsockopt(int fd, int level, int option, void *value, socklen_t *size)
{
        if (rt_cur && socket_is_carried(socket_at(fd)) &&
            (level != SOL_SOCKET || option == SO_DOMAIN || option == SO_PROTOCOL || option == SO_LINGER))
                rt_refuse("getsockopt with an option of TCP");
        return (int)LISTED(getsockopt, RT_SITE(), (uint64_t)fd, (uint64_t)level, (uint64_t)option,
                           LISTED_POINTER(value), LISTED_POINTER(size));
}
