/*
 * err(3) and error(3): a message, and the end of the program.  libc calls its own exit, which cannot be interposed; here
 * the message is libc's, and the end is that of exit().
 */
#include <err.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "rt/real.h"
#include "rt/rt.h"
#include "rt/world/exit.h"

#define MAX_MESSAGE 4096u

RT_EXPORT void verr(int status, const char *format, va_list ap)
{
        vwarn(format, ap);
        exit_at(status, RT_SITE());
}

RT_EXPORT void verrx(int status, const char *format, va_list ap)
{
        vwarnx(format, ap);
        exit_at(status, RT_SITE());
}

RT_EXPORT void err(int status, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        vwarn(format, ap);
        va_end(ap);
        exit_at(status, RT_SITE());
}

RT_EXPORT void errx(int status, const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        vwarnx(format, ap);
        va_end(ap);
        exit_at(status, RT_SITE());
}

RT_EXPORT void error(int status, int number, const char *format, ...)
{
        static void (*real)(int, int, const char *, ...);
        char text[MAX_MESSAGE];
        va_list ap;

        if (!real)
                real = rt_real("error");
        va_start(ap, format);
        vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        real(0, number, "%s", text);
        if (status)
                exit_at(status, RT_SITE());
}

RT_EXPORT void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
        static void (*real)(int, int, const char *, unsigned, const char *, ...);
        char text[MAX_MESSAGE];
        va_list ap;

        if (!real)
                real = rt_real("error_at_line");
        va_start(ap, format);
        vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        real(0, number, file, line, "%s", text);
        if (status)
                exit_at(status, RT_SITE());
}
