/*
 * Runs a helper, or gives the answer that was recorded (--helpers record).
 *
 * A helper shares nothing with the program, so when it runs is not an event: it runs to its end when it is started.  It has no
 * descriptors but its standard streams.  It sees the files of the machine, not those that the program changed.
 */
#include "rt/helper/run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "rt/calls/assumed.h"
#include "rt/fault.h"
#include "rt/files/names.h"
#include "rt/helper/recorded.h"
#include "rt/helper/starter.h"
#include "rt/io/channel.h"
#include "rt/io/descriptor.h"
#include "rt/notes.h"
#include "rt/rt.h"
#include "rt/util.h"

#define REQUEST_MAX ((uint32_t)1 << 21)
#define OUTPUT_MAX  ((int64_t)64 << 20)
#define PIPE_ROOM   (1 << 20)
#define HIGH        (CHANNEL_MAX_FD / 2)
#define TEXT        160

static int high(long fd)
{
        long r = fd < 0 ? fd : rt_syscall6(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH, 0, 0, 0);

        if (fd >= 0)
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        if (r < 0)
                rt_fault("no descriptor is left for a helper");
        descriptor_opened((int)r);
        return (int)r;
}

int helper_memory(void)
{
        return high(rt_syscall6(SYS_memfd_create, (long)"heddle", 1 /* MFD_CLOEXEC */, 0, 0, 0, 0));
}

int helper_reopen(int fd, int flags)
{
        char path[64];

        rt_format(path, sizeof path, "/proc/self/fd/%u", (uint32_t)fd);
        return (int)rt_syscall6(SYS_openat, AT_FDCWD, (long)path, flags, 0, 0, 0);
}

void helper_close(int fd)
{
        if (fd >= 0)
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
}

static size_t length(const char *s)
{
        size_t n = 0;

        while (s[n])
                n++;
        return n;
}

static void put(int fd, const void *p, size_t n, struct starter_request *r)
{
        if (n > REQUEST_MAX - r->size)
                rt_refuse("a helper with more than 2 MiB of arguments and environment");
        rt_syscall6(SYS_write, fd, (long)p, (long)n, 0, 0, 0);
        r->size += (uint32_t)n;
}

static uint32_t put_all(int fd, char *const *words, struct starter_request *r)
{
        uint32_t n = 0;

        for (; words && words[n]; n++)
                put(fd, words[n], length(words[n]) + 1, r);
        return n;
}

static int make_request(const struct helper *h)
{
        struct starter_request r = {.umask = (uint32_t)rt_syscall6(SYS_umask, 077, 0, 0, 0, 0, 0)};
        int fd = helper_memory();

        rt_syscall6(SYS_umask, r.umask, 0, 0, 0, 0, 0);
        put(fd, &r, sizeof r, &r);
        put(fd, h->path, length(h->path) + 1, &r);
        r.n_args = put_all(fd, h->argv, &r);
        r.n_env = put_all(fd, h->env, &r);
        rt_syscall6(SYS_pwrite64, fd, (long)&r, sizeof r, 0, 0, 0);
        return fd;
}

/* How it is named in reports. */
static void describe(const struct helper *h, char *text)
{
        bool shell = h->argv[0] && h->argv[1] && h->argv[2] && h->argv[1][0] == '-' && h->argv[1][1] == 'c';

        rt_format(text, TEXT, "%s", shell ? h->argv[2] : h->path);
}

/* Files that the program has changed. */

struct search {
        const struct helper *h;
        bool named;
};

static bool contains(const char *text, const char *word)
{
        for (; *text; text++) {
                size_t n = 0;
                while (word[n] && text[n] == word[n])
                        n++;
                if (!word[n])
                        return true;
        }
        return false;
}

static void look_for(void *arg, const char *path)
{
        struct search *s = arg;
        const char *last = path;

        for (const char *p = path; *p; p++)
                if (*p == '/' && p[1])
                        last = p + 1;
        for (uint32_t i = 0; s->h->argv[i]; i++)
                s->named = s->named || contains(s->h->argv[i], last);
}

static void check_files(const struct helper *h, const char *name)
{
        struct search s = {.h = h};
        char text[WIRE_TEXT];

        if (!names_any())
                return;
        names_each(look_for, &s);
        if (s.named) {
                rt_format(text, sizeof text, "a helper (%s) that is given a file which the program has changed", name);
                rt_refuse(text);
        }
        rt_note_incomplete(REASON_HELPER_FILES, name);
}

/* Its standard streams. */

static int64_t copy(int from, int to)
{
        char buffer[4096];
        int64_t done = 0;
        long n;

        while ((n = rt_syscall6(SYS_read, from, (long)buffer, sizeof buffer, 0, 0, 0)) > 0)
                for (long at = 0; at < n;) {
                        long m = rt_syscall6(SYS_write, to, (long)(buffer + at), n - at, 0, 0, 0);

                        if (m <= 0)
                                return done;
                        at += m;
                        done += m;
                }
        return done;
}

/* What it reads: of a pipe, all that is in it, if no more can come. */
static int input_of(int fd)
{
        struct pollfd p = {.fd = fd, .events = POLLIN};
        const struct channel_end *e = channel_at(fd);
        int memory;

        if (fd < 0)
                return high(rt_syscall6(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDONLY, 0, 0, 0));
        if (!e)
                return high(rt_syscall6(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH, 0, 0, 0));
        rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0);
        if (!(p.revents & POLLHUP))
                rt_refuse("a helper that reads a pipe or socket which can still be written (use popen or a file)");
        memory = helper_memory();
        copy(fd, memory);
        rt_syscall6(SYS_lseek, memory, 0, 0, 0, 0, 0);
        return memory;
}

static int64_t size_of(int fd)
{
        return rt_syscall6(SYS_lseek, fd, 0, 2 /* SEEK_END */, 0, 0, 0);
}

/* Gives what it printed to the descriptor. */
static void deliver(int memory, int fd)
{
        const struct channel_end *e = channel_at(fd);
        int64_t n = size_of(memory);

        rt_syscall6(SYS_lseek, memory, 0, 0, 0, 0, 0);
        if (fd < 0 || n <= 0)
                return;
        if (e && e->kind == CHANNEL_PIPE)
                rt_syscall6(SYS_fcntl, fd, F_SETPIPE_SZ, PIPE_ROOM, 0, 0, 0);
        if (e) {
                long flags = rt_syscall6(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
                int64_t done;

                rt_syscall6(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK, 0, 0, 0);
                done = copy(memory, fd);
                rt_syscall6(SYS_fcntl, fd, F_SETFL, flags, 0, 0, 0);
                if (done < n)
                        rt_refuse("a helper that writes more than a pipe or socket holds");
                channel_used(rt_cur, ARRIVE_INNER, e->out);
        } else {
                copy(memory, fd);
        }
}

static void perform(const int *fds, struct starter_answer *a, const char *name)
{
        char text[WIRE_TEXT];

        if (!starter_is_there())
                rt_refuse("a helper that code loaded by dlopen() starts");
        starter_run(fds, a);
        if (a->late) {
                rt_format(text, sizeof text, "a helper (%s) that runs for more than 20 seconds", name);
                rt_refuse(text);
        }
        if (size_of(fds[STARTER_OUT]) > OUTPUT_MAX || size_of(fds[STARTER_ERR]) > OUTPUT_MAX) {
                rt_format(text, sizeof text, "a helper (%s) that prints more than 64 MiB", name);
                rt_refuse(text);
        }
}

int helper_run(struct helper *h)
{
        bool together = h->fd[1] == h->fd[2] && h->fd[1] >= 0, keeps = h->fd[1] == HELPER_OUT;
        char name[TEXT], text[TEXT + 64];
        struct starter_answer a;
        int fds[STARTER_FDS];

        if (rt.down->helpers == WIRE_HELPERS_REFUSE)
                rt_refuse("another program, which --helpers refuse excludes");
        describe(h, name);
        check_files(h, name);
        fds[STARTER_REQUEST] = make_request(h);
        fds[STARTER_DIRECTORY] = high(rt_syscall6(SYS_openat, AT_FDCWD, (long)(h->directory ? h->directory : "."),
                                                  O_PATH | O_DIRECTORY | O_CLOEXEC, 0, 0, 0));
        fds[STARTER_IN] = input_of(h->fd[0]);
        fds[STARTER_OUT] = helper_memory();
        fds[STARTER_ERR] = together ? fds[STARTER_OUT] : helper_memory();
        if (rt.down->helpers != WIRE_HELPERS_RECORD || !recorded_find(fds, &a)) {
                perform(fds, &a, name);
                if (rt.down->helpers == WIRE_HELPERS_RECORD)
                        recorded_add(fds, &a);
        }
        rt_format(text, sizeof text, "the helper %s", name);
        assumed_name(text);
        h->status = a.status;
        if (a.writes)
                rt_note_incomplete(REASON_HELPER_WRITES, name);
        if (!a.error && !together)
                deliver(fds[STARTER_ERR], h->fd[2]);
        if (!a.error && !keeps)
                deliver(fds[STARTER_OUT], h->fd[1]);
        h->kept = keeps ? fds[STARTER_OUT] : -1;
        rt_syscall6(SYS_lseek, fds[STARTER_OUT], 0, 0, 0, 0, 0);
        for (int i = 0; i < STARTER_FDS; i++)
                if (!(keeps && i == STARTER_OUT) && !(together && i == STARTER_ERR))
                        helper_close(fds[i]);
        return a.error;
}
