/* See apart.h.  The result comes through a pipe of which the worker alone has the writing end, so that its end is noticed too. */
#include "base/apart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"

#define LOOK 0.05 /* seconds between two looks at loop_interrupted */

static _Noreturn void worker(void (*work)(void *arg, void *result), void *arg, void *result, size_t size, int fd,
                             pid_t parent)
{
        static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
        size_t done = 0;
        ssize_t n = 1;

        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
                signal(ends[i], SIG_DFL); /* what a handler would remove is the parent's */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
                _exit(1);
        work(arg, result);
        for (; done < size && n > 0; done += (size_t)(n > 0 ? n : 0))
                n = write(fd, (const char *)result + done, size - done);
        _exit(done < size);
}

/* 1: all of the result is there, 0: too late, -1: the worker is gone. */
static int receive(int fd, char *result, size_t size, double end)
{
        size_t done = 0;

        while (done < size) {
                double left = end - clock_now();
                struct pollfd p = {.fd = fd, .events = POLLIN};

                if (left <= 0 || loop_interrupted)
                        return 0;
                if (poll(&p, 1, (int)(1000 * (left < LOOK ? left : LOOK)) + 1) <= 0)
                        continue;
                ssize_t n = read(fd, result + done, size - done);
                if (n <= 0 && !(n < 0 && errno == EINTR))
                        return loop_interrupted ? 0 : -1;
                done += (size_t)(n > 0 ? n : 0);
        }
        return 1;
}

int apart_run(void (*work)(void *arg, void *result), void *arg, void *result, size_t size, double seconds)
{
        double end = clock_now() + seconds;
        char *copy = malloc(size);
        pid_t self = getpid(), pid = -1;
        int fds[2], r = -1;

        if (!copy || pipe(fds) < 0)
                goto out;
        pid = fork();
        if (pid == 0)
                worker(work, arg, result, size, fds[1], self);
        close(fds[1]);
        if (pid > 0) {
                r = receive(fds[0], copy, size, end);
                kill(pid, SIGKILL);
                while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
                }
        }
        close(fds[0]);
        if (r > 0)
                memcpy(result, copy, size);
out:
        free(copy);
        return r;
}
