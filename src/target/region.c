/* See region.h. */
#include "target/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "target/spawn.h"

/* A limit of the size of files (ulimit -f) counts for memory that has a descriptor, too. */
static int set_size(int fd, size_t size)
{
        struct rlimit old, most;
        bool raised = getrlimit(RLIMIT_FSIZE, &old) == 0 && old.rlim_cur < size;
        int e;

        if (raised) {
                most = (struct rlimit){old.rlim_max, old.rlim_max};
                setrlimit(RLIMIT_FSIZE, &most);
        }
        e = ftruncate(fd, (off_t)size);
        if (raised)
                setrlimit(RLIMIT_FSIZE, &old);
        return e;
}

int region_create(const char *name, size_t size)
{
        int fd = spawn_fd_high(spawn_memory(name));
        if (fd < 0)
                return -1;
        /* A file in place of a memfd has no seals. */
        if (set_size(fd, size) != 0 ||
            (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0 && errno != EINVAL && errno != EPERM)) {
                int error = errno;
                close(fd);
                errno = error;
                return -1;
        }
        return fd;
}

void region_copy(void *to, const void *from, size_t n, int fd)
{
        off_t end = (off_t)n, at = 0, hole;

        for (; at < end; at = hole) {
                at = lseek(fd, at, SEEK_DATA);
                if (at < 0 && errno == ENXIO)
                        return; /* the rest is a hole */
                hole = at < 0 ? end : lseek(fd, at, SEEK_HOLE);
                at = at < 0 ? 0 : at;
                hole = hole < 0 || hole > end ? end : hole;
                if (at < hole)
                        memcpy((char *)to + at, (const char *)from + at, (size_t)(hole - at));
        }
}
