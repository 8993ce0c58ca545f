/*
 * See instances.h.
 *
 * The kernel's part of an instance is not put back: one that was there at the snapshot is made again for every execution, and
 * watches what it watched then.  An edge that was reported before the snapshot is reported again.
 */
#include "rt/io/instances.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include "rt/fault.h"
#include "rt/rt.h"
#include "rt/util.h"

#define MAX_WATCHES   1024u
#define MAX_INSTANCES 64u

struct watch {
        int epfd, fd;
        struct epoll_event event;
};

static struct watch watches[MAX_WATCHES]; /* that were made before the snapshot */
static uint32_t n_watches;
static int instances[MAX_INSTANCES]; /* likewise */
static uint32_t n_instances;
void epoll_made(int fd)
{
        if (n_instances == MAX_INSTANCES)
                rt_refuse("more than 64 epoll instances before the first thread");
        instances[n_instances++] = fd;
}

static void forget(int epfd, int fd)
{
        for (uint32_t i = 0; i < n_watches;)
                if (watches[i].fd == fd && (epfd < 0 || watches[i].epfd == epfd))
                        watches[i] = watches[--n_watches];
                else
                        i++;
}

bool epoll_any(void)
{
        return n_instances > 0;
}

void epoll_closed(int fd)
{
        if (rt.live)
                return;
        forget(-1, fd);
        for (uint32_t i = 0; i < n_instances; i++)
                if (instances[i] == fd)
                        instances[i] = instances[--n_instances];
}

void epoll_watched(int epfd, int op, int fd, const struct epoll_event *event)
{
        forget(epfd, fd);
        if (op == EPOLL_CTL_DEL)
                return;
        if (n_watches == MAX_WATCHES)
                rt_refuse("more than 1024 descriptors that epoll watches before the first thread");
        watches[n_watches++] = (struct watch){epfd, fd, *event};
}

void epoll_save(void)
{
        for (uint32_t i = 0; i < n_instances; i++)
                if (rt_syscall6(SYS_fcntl, instances[i], F_GETFD, 0, 0, 0, 0) < 0)
                        epoll_closed(instances[i--]);
}

void epoll_restore(void)
{
        for (uint32_t i = 0; i < n_instances; i++) {
                long flags = rt_syscall6(SYS_fcntl, instances[i], F_GETFD, 0, 0, 0, 0);
                long fd = rt_syscall6(SYS_epoll_create1, 0, 0, 0, 0, 0, 0);

                rt_syscall6(SYS_dup3, fd, instances[i], flags & FD_CLOEXEC ? O_CLOEXEC : 0, 0, 0, 0);
                rt_syscall6(SYS_close, fd, 0, 0, 0, 0, 0);
        }
        for (uint32_t i = 0; i < n_watches; i++)
                rt_syscall6(SYS_epoll_ctl, watches[i].epfd, EPOLL_CTL_ADD, watches[i].fd, (long)&watches[i].event, 0,
                            0);
}
