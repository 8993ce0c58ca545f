/*
 * Functions that read from outside: what they leave behind (a position in a file, a buffer of stdio) is no memory of the
 * program, but a loop that calls one makes progress.
 */
#include <features.h>
#undef __USE_EXTERN_INLINES /* stdio.h would define some of these itself */

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "rt/core.h"
#include "rt/spin.h"

static void progress(void)
{
        if (rt_on())
                spin_progress(rt_cur);
}

#define READER(type, name, params, args)                                                                               \
        RT_EXPORT type name params                                                                                     \
        {                                                                                                              \
                progress();                                                                                            \
                return RT_REAL(name) args;                                                                             \
        }

#undef getc
#undef getchar

READER(int, getchar, (void), ())
READER(int, getc, (FILE * f), (f))
READER(int, fgetc, (FILE * f), (f))
READER(char *, fgets, (char *s, int n, FILE *f), (s, n, f))
READER(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
READER(ssize_t, getline, (char **line, size_t *n, FILE *f), (line, n, f))
READER(ssize_t, getdelim, (char **line, size_t *n, int end, FILE *f), (line, n, end, f))
READER(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
READER(struct dirent *, readdir, (DIR * d), (d))

RT_EXPORT int __isoc99_scanf(const char *format, ...);
int __isoc99_scanf(const char *format, ...)
{
        va_list ap;
        int n;

        progress();
        va_start(ap, format);
        n = vscanf(format, ap);
        va_end(ap);
        return n;
}

RT_EXPORT int __isoc99_fscanf(FILE *f, const char *format, ...);
int __isoc99_fscanf(FILE *f, const char *format, ...)
{
        va_list ap;
        int n;

        progress();
        va_start(ap, format);
        n = vfscanf(f, format, ap);
        va_end(ap);
        return n;
}
