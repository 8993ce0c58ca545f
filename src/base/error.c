/* One line for the user.  The arguments may lie in the text that is written: it is formatted elsewhere first. */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

int error_set_at(struct error *e, int status, const char *where, const char *format, va_list args)
{
        char text[ERROR_TEXT];
        int n = snprintf(text, sizeof text, "%s", where);

        if (n >= 0 && (size_t)n < sizeof text)
                vsnprintf(text + n, sizeof text - (size_t)n, format, args);
        memcpy(e->text, text, sizeof text);
        return status;
}

int error_set(struct error *e, int status, const char *format, ...)
{
        va_list args;

        va_start(args, format);
        error_set_at(e, status, "", format, args);
        va_end(args);
        return status;
}

int error_memory(struct error *e)
{
        return error_set(e, ERROR_FAIL, "out of memory");
}
