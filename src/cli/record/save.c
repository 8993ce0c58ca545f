/* See save.h.  A file is written beside its place and then moved there; a device is written as it is. */
#include "cli/record/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/list.h"
#include "cli/status.h"

static bool is_device(const char *file)
{
        struct stat st;

        return stat(file, &st) == 0 && !S_ISREG(st.st_mode);
}

static char *part_of(const char *file)
{
        return list_format("%s.%d", file, (int)getpid());
}

static int refuse(const char *file, const char *option)
{
        return status_usage("cannot write %s: %s; name another file with %s", file, strerror(errno), option);
}

int save_try(const char *file, const char *option)
{
        bool device = is_device(file);
        const char *part = device ? file : part_of(file);
        int fd = open(part, O_WRONLY | O_CLOEXEC | (device ? O_NONBLOCK : O_CREAT), 0666);

        if (fd < 0 && !(device && errno == ENXIO)) /* a pipe that nobody reads yet */
                return refuse(file, option);
        if (fd >= 0)
                close(fd);
        if (!device)
                unlink(part);
        return 0;
}

int save_recording(const char *file, const char *option, const struct recording *r)
{
        bool device = is_device(file);
        const char *part = device ? file : part_of(file);
        FILE *f = fopen(part, "we");
        int bad = f ? recording_write(r, f) : -1, e = errno;

        if (f && fclose(f) != 0 && !bad) {
                bad = -1;
                e = errno;
        }
        if (!bad && !device && rename(part, file) != 0) {
                bad = -1;
                e = errno;
        }
        if (!bad)
                return 0;
        if (f && !device)
                unlink(part);
        errno = e;
        return refuse(file, option);
}
