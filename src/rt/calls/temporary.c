/*
 * Temporary files and folders: libc takes their names from the clock of the machine.  Here they come from the program's random
 * numbers, so they are the same in every execution; the file is made by open() or mkdir(), which have wrappers.
 */
#define _LARGEFILE64_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "rt/calls/calls.h"
#include "rt/calls/random.h"
#include "rt/real.h"
#include "rt/threads.h"
#include "rt/util.h"

#define LETTERS  6u
#define ATTEMPTS 1000u
#define LONGEST  4096u

/* Where the letters are that are replaced, -1: the template is wrong. */
static long letters_at(const char *path, size_t size, int suffix)
{
        long at = (long)size - 1 - suffix - (long)LETTERS;

        if (suffix < 0 || at < 0)
                return -1;
        for (unsigned i = 0; i < LETTERS; i++)
                if (path[at + (long)i] != 'X')
                        return -1;
        return at;
}

static void draw(char *to)
{
        static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        uint64_t v = rt_random_next();

        for (unsigned i = 0; i < LETTERS; i++, v /= sizeof letters - 1)
                to[i] = letters[v % (sizeof letters - 1)];
}

/* flags: those of open(); -1: a folder.  Returns a descriptor or 0, or -1. */
static int make(char *template, int suffix, int flags, uintptr_t site)
{
        char path[LONGEST];
        size_t size = 0;
        uintptr_t via = rt_cur->stack.via;
        int r = -1, error;
        long at;

        while (size < LONGEST - 1 && template[size])
                size++;
        size++;
        call_in(template, size, site);
        rt_text(path, sizeof path, template);
        at = letters_at(path, size, suffix);
        if (at < 0) {
                errno = EINVAL;
                return -1;
        }
        rt_cur->stack.via = via ? via : site;
        for (unsigned i = 0; i < ATTEMPTS && r < 0; i++) {
                draw(path + at);
                r = flags < 0 ? mkdir(path, 0700) : open(path, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
                if (r < 0 && errno != EEXIST)
                        break;
        }
        rt_cur->stack.via = via;
        error = errno;
        call_out(template + at, path + at, LETTERS, site);
        errno = error;
        return r;
}

#define TEMPORARY(name, params, args, suffix, flags)                                           \
        RT_EXPORT int name params                                                              \
        {                                                                                      \
                return rt_cur ? make(template, suffix, flags, RT_SITE()) : RT_REAL(name) args; \
        }
TEMPORARY(mkstemp, (char *template), (template), 0, 0)
TEMPORARY(mkstemp64, (char *template), (template), 0, 0)
TEMPORARY(mkostemp, (char *template, int flags), (template, flags), 0, flags & ~O_ACCMODE)
TEMPORARY(mkostemp64, (char *template, int flags), (template, flags), 0, flags & ~O_ACCMODE)
TEMPORARY(mkstemps, (char *template, int suffix), (template, suffix), suffix, 0)
TEMPORARY(mkstemps64, (char *template, int suffix), (template, suffix), suffix, 0)
TEMPORARY(mkostemps, (char *template, int suffix, int flags), (template, suffix, flags), suffix, flags & ~O_ACCMODE)
TEMPORARY(mkostemps64, (char *template, int suffix, int flags), (template, suffix, flags), suffix, flags & ~O_ACCMODE)

RT_EXPORT char *mkdtemp(char *template)
{
        if (!rt_cur)
                return RT_REAL(mkdtemp)(template);
        return make(template, 0, -1, RT_SITE()) < 0 ? NULL : template;
}
