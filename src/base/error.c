/* One line for the user.  The arguments may lie in the text that is written: it is formatted elsewhere first. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *e, int status, const char *format, ...)
{
        char text[ERROR_TEXT];
        va_list args;

        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        memcpy(e->text, text, sizeof text);
        return status;
}

int error_memory(struct error *e)
{
        return error_set(e, ERROR_FAIL, "out of memory");
}
