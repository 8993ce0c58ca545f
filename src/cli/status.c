/*
 * The one line that says what is wrong and what to do.
 */
#include "cli/status.h"

#include <stdarg.h>
#include <stdio.h>

static void print(const char *format, va_list ap)
{
        fputs("heddle: ", stderr);
        vfprintf(stderr, format, ap);
        fputc('\n', stderr);
}

int status_usage(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        print(format, ap);
        va_end(ap);
        return STATUS_USAGE;
}

int status_internal(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        print(format, ap);
        va_end(ap);
        return STATUS_INTERNAL;
}
