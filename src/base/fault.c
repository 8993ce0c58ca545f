/*
 * Faults.  Invariant: a second fault while the first is reported ends the process without a second report.
 */
#include "base/fault.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static void (*at_end)(void);
static pid_t owner;

static void (*describe)(FILE *out, const void *arg);
static const void *described;

static void put(const char *text)
{
        ssize_t n = write(STDERR_FILENO, text, strlen(text));

        (void)n;
}

void fault_at_end(void (*f)(void))
{
        at_end = f;
        owner = getpid();
}

void fault_describe(void (*f)(FILE *out, const void *arg), const void *arg)
{
        describe = f;
        described = arg;
}

_Noreturn void fault_end(const char *line)
{
        put("heddle: internal: ");
        put(line);
        put("\n");
        if (at_end && owner == getpid())
                at_end();
        _exit(FAULT_STATUS);
}

_Noreturn void fault_report(const char *format, ...)
{
        void (*f)(FILE *, const void *) = describe;
        char line[512];
        va_list args;

        va_start(args, format);
        vsnprintf(line, sizeof line, format, args);
        va_end(args);
        describe = NULL;
        if (f) {
                char buffer[512];

                setvbuf(stderr, buffer, _IOLBF, sizeof buffer);
                fprintf(stderr, "heddle: internal: %s\n  version " HEDDLE_VERSION "\n", line);
                f(stderr, described);
                fflush(stderr);
                strcpy(line, "please report this with the lines above");
        }
        fault_end(line);
}
