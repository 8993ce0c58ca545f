/*
 * Descriptor numbers: the calls that take and replace them, make channels, or change what a number stands for.
 *
 * Which number a call takes is the lowest free one, so it depends on what other threads have opened and closed: the free
 * numbers are a state (effect.h), and so is each number.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/listed.h"
#include "rt/fault.h"
#include "rt/real.h"
#include "rt/rt.h"
#include "rt/sched/arrival.h"
#include "rt/io/channel.h"
#include "rt/io/pipe.h"
#include "rt/io/socket.h"

/* Numbers are taken: one or two, and for a duplicate another is looked up. */
static enum arrival take(unsigned n, int from, uintptr_t site)
{
        struct effect e[4] = {EFFECT_CHANGE(STATE_DESCRIPTORS), EFFECT_TAKES(EFFECT_LOWEST)};

        if (n == 2)
                e[2] = EFFECT_TAKES(EFFECT_SECOND);
        if (from >= 0)
                e[1 + n] = EFFECT_USE(effect_descriptor(from));
        return effect_perform(e, 1 + n + (from >= 0), site);
}

static int make_pipe(int fd[2], int flags, uintptr_t site)
{
        int made[2], r;

        take(2, -1, site);
        r = RT_REAL(pipe2)(made, flags);
        if (!r && rt_cur)
                channel_made(CHANNEL_PIPE, made[0], made[1], flags);
        if (!r)
                call_out(fd, made, sizeof made, site);
        return r;
}

RT_EXPORT int pipe2(int fd[2], int flags)
{
        return make_pipe(fd, flags, RT_SITE());
}

RT_EXPORT int pipe(int fd[2])
{
        return make_pipe(fd, 0, RT_SITE());
}

RT_EXPORT int socketpair(int domain, int type, int protocol, int fd[2])
{
        int made[2], r;

        take(2, -1, RT_SITE());
        r = RT_REAL(socketpair)(domain, type, protocol, made);
        if (!r && rt_cur)
                channel_made(CHANNEL_SOCKETS, made[0], made[1], type);
        if (!r)
                call_out(fd, made, sizeof made, RT_SITE());
        return r;
}

RT_EXPORT int eventfd(unsigned value, int flags)
{
        int fd;

        take(1, -1, RT_SITE());
        fd = RT_REAL(eventfd)(value, flags);
        if (fd >= 0 && rt_cur)
                channel_made(CHANNEL_EVENT, fd, -1, flags);
        return fd;
}

static int duplicated(int from, int to)
{
        if (to >= 0 && to != from && rt_cur) {
                channel_duplicated(from, to);
                socket_duplicated(from, to);
                effect_duplicated(from, to);
        }
        return to;
}

RT_EXPORT int dup(int fd)
{
        take(1, fd, RT_SITE());
        return duplicated(fd, RT_REAL(dup)(fd));
}

RT_EXPORT int dup2(int from, int to)
{
        if (from != to && rt_cur)
                channel_replace(to, from, RT_SITE());
        return duplicated(from, RT_REAL(dup2)(from, to));
}

RT_EXPORT int dup3(int from, int to, int flags)
{
        if (from != to && rt_cur)
                channel_replace(to, from, RT_SITE());
        return duplicated(from, RT_REAL(dup3)(from, to, flags));
}

/* What fcntl changes: the open file, its number, or the free numbers. */
static void control(int fd, int command, uintptr_t site)
{
        const struct effect locks[] = {EFFECT_USE(effect_descriptor(fd)), EFFECT_CHANGE(effect_position(fd))};

        switch (command) {
        case F_DUPFD:
        case F_DUPFD_CLOEXEC: take(1, fd, site); return;
        case F_GETFD:
        case F_GETFL:
        case F_GETPIPE_SZ: effect_perform(locks, 1, site); return;
        case F_SETFD: effect_one(EFFECT_CHANGE(effect_descriptor(fd)), site); return;
        case F_GETLK:
        case F_SETLK:
        case F_SETLKW:
        case F_OFD_SETLK:
        case F_OFD_SETLKW: effect_perform(locks, 2, site); return;
        default: effect_change_file(fd, site);
        }
}

RT_EXPORT int fcntl(int fd, int command, ...)
{
        va_list ap;
        void *arg;
        int r;

        va_start(ap, command);
        arg = va_arg(ap, void *);
        va_end(ap);
        if (rt_cur && fd >= 0)
                control(fd, command, RT_SITE());
        r = RT_REAL(fcntl)(fd, command, arg);
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, r) : r;
}

RT_EXPORT int fcntl64(int fd, int command, ...) __attribute__((alias("fcntl")));

RT_EXPORT FILE *fdopen(int fd, const char *mode)
{
        if (rt_cur && fd >= 0)
                effect_one(EFFECT_USE(effect_descriptor(fd)), RT_SITE());
        if (rt_cur && channel_at(fd))
                rt_refuse("fdopen of a pipe or socket pair (use read and write)");
        return RT_REAL(fdopen)(fd, mode);
}

/* libc writes by itself what these print. */

static int print(int fd, const char *format, va_list args, uintptr_t site)
{
        if (rt_cur && channel_at(fd))
                rt_refuse("dprintf to a pipe or socket pair (use snprintf and write)");
        return (int)LISTED(vdprintf, site, (uint64_t)fd, LISTED_POINTER(format), LISTED_POINTER(args));
}

RT_EXPORT int vdprintf(int fd, const char *format, va_list args)
{
        return print(fd, format, args, RT_SITE());
}

RT_EXPORT int dprintf(int fd, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        int n = print(fd, format, args, RT_SITE());
        va_end(args);
        return n;
}

RT_EXPORT int __dprintf_chk(int fd, int flag, const char *format, ...);
int __dprintf_chk(int fd, int flag, const char *format, ...)
{
        va_list args;

        (void)flag;
        va_start(args, format);
        int n = print(fd, format, args, RT_SITE());
        va_end(args);
        return n;
}
