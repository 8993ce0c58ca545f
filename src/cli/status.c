/*
 * The one line that says what is wrong and what to do.
 */
#include "cli/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/shown.h"

int status_usage(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        shown_line(stderr, format, ap);
        va_end(ap);
        return STATUS_USAGE;
}

int status_internal(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        shown_line(stderr, format, ap);
        va_end(ap);
        return STATUS_INTERNAL;
}

void status_note(const char *format, ...)
{
        va_list ap;

        va_start(ap, format);
        shown_line(stderr, format, ap);
        va_end(ap);
}
