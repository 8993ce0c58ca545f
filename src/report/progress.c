/* The live line of a long exploration: on a terminal one line that is written over, elsewhere a line each time. */
#include <inttypes.h>

#include "report/report.h"

static void put_time(FILE *f, double seconds)
{
        if (seconds < 100)
                fprintf(f, "%.0f s", seconds);
        else if (seconds < 100 * 60)
                fprintf(f, "%.0f min", seconds / 60);
        else if (seconds < 100 * 3600)
                fprintf(f, "%.0f h", seconds / 3600);
        else
                fprintf(f, "%.3g days", seconds / 86400);
}

void report_progress(FILE *f, const struct stats *s, bool tty)
{
        double rate = s->seconds > 0 ? (double)s->executions / s->seconds : 0;

        fprintf(f, "%s%" PRIu64 " executions", tty ? "\r\033[K" : "heddle: ", s->executions);
        if (s->blocked)
                fprintf(f, " (%" PRIu64 " repetitions cut short)", s->blocked);
        fprintf(f, ", %.0f/s, ", rate);
        put_time(f, s->seconds);
        if (s->share > 0) {
                fprintf(f, ", about %.*g %% explored, ", s->share > 0.99 ? 3 : 2, s->share * 100);
                put_time(f, s->expected_seconds > s->seconds ? s->expected_seconds - s->seconds : 0);
                fputs(" left", f);
        }
        if (!tty)
                fputc('\n', f);
        fflush(f);
}

void report_progress_end(FILE *f, bool tty)
{
        if (tty)
                fputs("\r\033[K", f);
        fflush(f);
}
