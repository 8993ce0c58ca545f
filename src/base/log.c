/*
 * The log has one level, the only global of the explorer.
 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/shown.h"

static bool enabled;

void log_enable(bool on)
{
        enabled = on;
}

void log_note(const char *format, ...)
{
        va_list ap;

        if (!enabled)
                return;
        va_start(ap, format);
        shown_line(stderr, format, ap);
        va_end(ap);
}
