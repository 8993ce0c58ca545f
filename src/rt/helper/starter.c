/*
 * See starter.h.
 *
 * Both sides use raw system calls: the starter is a copy of the target, whose libc may be anywhere.
 */
#include "rt/helper/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "rt/calls/unlisted.h"
#include "rt/fault.h"
#include "rt/io/descriptor.h"
#include "rt/rt.h"
#include "rt/util.h"

#define HELPER_SECONDS 20  /* a helper that takes longer is killed */
#define FIRST_NAP      100 /* microseconds between two looks whether it has ended, doubled */
#define LONGEST_NAP    5000
#define ABOVE          1000 /* where its descriptors are while 0 to 2 are set */

static int link_fd = -1;

static const char *const starting[] = {"system",  "popen", "posix_spawn", "posix_spawnp",
                                       "waitpid", "wait",  "wait4",       "waitid"};

union control {
        char bytes[CMSG_SPACE(STARTER_FDS * sizeof(int))];
        struct cmsghdr align;
};

static long now_us(void)
{
        struct timespec ts;

        rt_syscall6(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&ts, 0, 0, 0, 0);
        return ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* The starter's side. */

static _Noreturn void leave(int status)
{
        for (;;)
                rt_syscall6(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

/* The new process: becomes the helper, or says why not. */
static _Noreturn void become(const struct starter_request *r, const int *fds, int report)
{
        const uint64_t none = 0;
        const char *text = (const char *)(r + 1), *path = text;
        const char **words = (const char **)rt_syscall6(SYS_mmap, 0, (long)((r->n_args + r->n_env + 2) * sizeof *words),
                                                        PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        uint32_t n = 0;
        long error;

        for (uint32_t i = 0; i < r->n_args + r->n_env + 1; i++) {
                if (i > 0)
                        words[n++] = text;
                if (i == r->n_args)
                        words[n++] = NULL;
                while (*text++)
                        continue;
        }
        words[n] = NULL;
        rt_syscall6(SYS_setpgid, 0, 0, 0, 0, 0, 0);
        rt_syscall6(SYS_fchdir, fds[STARTER_DIRECTORY], 0, 0, 0, 0, 0);
        rt_syscall6(SYS_umask, r->umask, 0, 0, 0, 0, 0);
        for (int i = 0; i < 3; i++)
                rt_syscall6(SYS_dup3, fds[STARTER_IN + i], ABOVE + i, O_CLOEXEC, 0, 0, 0);
        for (int i = 0; i < 3; i++)
                rt_syscall6(SYS_dup3, ABOVE + i, i, 0, 0, 0, 0);
        rt_syscall6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, 8, 0, 0);
        error = rt_syscall6(SYS_execve, (long)path, (long)words, (long)(words + r->n_args + 1), 0, 0, 0);
        error = -error;
        rt_syscall6(SYS_write, report, (long)&error, sizeof error, 0, 0, 0);
        leave(127);
}

/* Is the target still there? */
static bool is_wanted(void)
{
        struct pollfd p = {.fd = link_fd, .events = 0};

        return rt_syscall6(SYS_poll, (long)&p, 1, 0, 0, 0, 0) == 0;
}

static void await(long pid, struct starter_answer *a)
{
        long begun = now_us(), nap = FIRST_NAP;
        struct rusage usage;

        while (rt_syscall6(SYS_wait4, pid, (long)&a->status, WNOHANG, (long)&usage, 0, 0) == 0) {
                struct timespec ts = {.tv_nsec = nap * 1000};
                bool wanted = is_wanted();

                if (!wanted || now_us() - begun > HELPER_SECONDS * 1000000L) {
                        a->late = true;
                        rt_syscall6(SYS_kill, -pid, SIGKILL, 0, 0, 0, 0);
                        rt_syscall6(SYS_wait4, pid, (long)&a->status, 0, (long)&usage, 0, 0);
                        if (!wanted)
                                leave(0);
                        break;
                }
                rt_syscall6(SYS_nanosleep, (long)&ts, 0, 0, 0, 0, 0);
                nap = nap * 2 < LONGEST_NAP ? nap * 2 : LONGEST_NAP;
        }
        rt_syscall6(SYS_kill, -pid, SIGKILL, 0, 0, 0, 0); /* those that it has left behind */
        a->writes = usage.ru_oublock > 0;
}

static void serve_one(const int *fds)
{
        struct starter_answer a = {.error = 0};
        struct starter_request head;
        int report[2] = {-1, -1};
        long error = 0, pid;
        void *r;

        rt_syscall6(SYS_pread64, fds[STARTER_REQUEST], (long)&head, sizeof head, 0, 0, 0);
        r = (void *)rt_syscall6(SYS_mmap, 0, head.size, PROT_READ, MAP_PRIVATE, fds[STARTER_REQUEST], 0);
        rt_syscall6(SYS_pipe2, (long)report, O_CLOEXEC, 0, 0, 0, 0);
        pid = rt_syscall6(SYS_fork, 0, 0, 0, 0, 0, 0);
        if (pid == 0)
                become(r, fds, report[1]);
        rt_syscall6(SYS_close, report[1], 0, 0, 0, 0, 0);
        if (pid < 0) {
                a.error = (int32_t)-pid;
        } else if (rt_syscall6(SYS_read, report[0], (long)&error, sizeof error, 0, 0, 0) == (long)sizeof error) {
                a.error = (int32_t)error;
                rt_syscall6(SYS_wait4, pid, (long)&a.status, 0, 0, 0, 0);
        } else {
                await(pid, &a);
        }
        rt_syscall6(SYS_close, report[0], 0, 0, 0, 0, 0);
        rt_syscall6(SYS_munmap, (long)r, head.size, 0, 0, 0, 0);
        for (int i = 0; i < STARTER_FDS; i++)
                rt_syscall6(SYS_close, fds[i], 0, 0, 0, 0, 0);
        rt_syscall6(SYS_write, link_fd, (long)&a, sizeof a, 0, 0, 0);
}

static _Noreturn void serve(void)
{
        for (;;) {
                union control control;
                char byte;
                struct iovec v = {&byte, 1};
                struct msghdr m = {.msg_iov = &v,
                                   .msg_iovlen = 1,
                                   .msg_control = control.bytes,
                                   .msg_controllen = sizeof control.bytes};
                long n = rt_syscall6(SYS_recvmsg, link_fd, (long)&m, MSG_CMSG_CLOEXEC, 0, 0, 0);

                if (n == -EINTR)
                        continue;
                if (n != 1 || m.msg_controllen < sizeof(struct cmsghdr))
                        leave(0);
                serve_one((const int *)(const void *)CMSG_DATA(&control.align));
        }
}

/* The target's side. */

void starter_init(void)
{
        int pair[2], status;
        long pid;

        if (!unlisted_imports(starting, sizeof starting / sizeof *starting) ||
            rt_syscall6(SYS_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, (long)pair, 0, 0) != 0)
                return;
        pid = rt_syscall6(SYS_fork, 0, 0, 0, 0, 0, 0);
        if (pid == 0) {
                /* a child of no process that the program could wait for */
                if (rt_syscall6(SYS_fork, 0, 0, 0, 0, 0, 0) != 0)
                        leave(0);
                rt_syscall6(SYS_dup3, pair[1], 0, O_CLOEXEC, 0, 0, 0);
                link_fd = 0;
                rt_syscall6(SYS_close_range, 1, UINT32_MAX, 0, 0, 0, 0);
                serve();
        }
        rt_syscall6(SYS_close, pair[1], 0, 0, 0, 0, 0);
        if (pid > 0) {
                rt_syscall6(SYS_wait4, pid, (long)&status, 0, 0, 0, 0);
                link_fd = descriptor_keep(pair[0]);
        }
        rt_syscall6(SYS_close, pair[0], 0, 0, 0, 0, 0);
}

bool starter_is_there(void)
{
        return link_fd >= 0;
}

void starter_run(const int fds[STARTER_FDS], struct starter_answer *a)
{
        union control control;
        char byte = 0;
        struct iovec v = {&byte, 1};
        struct msghdr m = {
                .msg_iov = &v, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        long n;

        rt_zero(&control, sizeof control);
        control.align = (struct cmsghdr){
                .cmsg_len = CMSG_LEN(STARTER_FDS * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        rt_copy(CMSG_DATA(&control.align), fds, STARTER_FDS * sizeof(int));
        rt_zero(a, sizeof *a);
        n = rt_syscall6(SYS_sendmsg, link_fd, (long)&m, MSG_NOSIGNAL, 0, 0, 0);
        while (n == 1) {
                n = rt_syscall6(SYS_read, link_fd, (long)a, sizeof *a, 0, 0, 0);
                if (n == -EINTR)
                        n = 1;
        }
        if (n != (long)sizeof *a)
                rt_fault("the process that starts other programs for the program is gone");
}
