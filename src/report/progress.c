/* The live line of a long exploration: on a terminal one line that is written over, elsewhere a line each time. */
#include <inttypes.h>

#include "report/report.h"

void report_progress(FILE *f, const struct stats *s, bool tty)
{
        double rate = s->seconds > 0 ? (double)s->executions / s->seconds : 0;

        fprintf(f, "%s%" PRIu64 " executions", tty ? "\r\033[K" : "heddle: ", s->executions);
        if (s->blocked)
                fprintf(f, " (%" PRIu64 " repetitions cut short)", s->blocked);
        fprintf(f, ", %.0f/s, %.0f s%s", rate, s->seconds, tty ? "" : "\n");
        fflush(f);
}

void report_progress_end(FILE *f, bool tty)
{
        if (tty)
                fputs("\r\033[K", f);
        fflush(f);
}
