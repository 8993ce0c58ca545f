/*
 * Functions that read from outside: what they leave behind (a position in a file) is no memory of the program, but a loop
 * that calls one makes progress.  Those of stdio stand in stream.def.
 */
#include <dirent.h>
#include <unistd.h>

#include "rt/core.h"
#include "rt/spin.h"

static void progress(void)
{
        if (rt_on())
                spin_progress(rt_cur);
}

#define READER(type, name, params, args)   \
        RT_EXPORT type name params         \
        {                                  \
                progress();                \
                return RT_REAL(name) args; \
        }

READER(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
READER(struct dirent *, readdir, (DIR * d), (d))
