/* How far a long exploration is: on a terminal one line that is written over, elsewhere a line or an object each time. */
#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "report/wording.h"
#include "report/report.h"

static void put_time(FILE *f, double seconds)
{
        if (seconds < 100)
                fprintf(f, "%.0f s", seconds);
        else if (seconds < 100 * 60)
                fprintf(f, "%.0f min", seconds / 60);
        else if (seconds < 100 * 3600)
                fprintf(f, "%.0f h", seconds / 3600);
        else if (seconds < 86400 * 36525.0)
                fprintf(f, "%.3g days", seconds / 86400);
        else
                fputs("more than a century", f);
}

static double rate(const struct stats *s)
{
        return s->seconds > 0 ? (double)stats_runs(s) / s->seconds : 0;
}

/* ", 10 s to 3 min left", as far as that can be said. */
static void put_left(FILE *f, const struct stats *s)
{
        struct stats_range r = stats_range(s);
        double each = s->executions ? s->seconds / (double)s->executions : 0, done = (double)s->executions;

        fputs(r.high > 0 ? ", " : ", more than ", f);
        put_time(f, (r.low - done) * each);
        if (r.high > 0) {
                fputs(" to ", f);
                put_time(f, (r.high - done) * each);
        }
        fputs(s->share_bound ? " left for these" : " left", f);
}

static void put_words(FILE *f, const struct stats *s)
{
        char share[128] = "";

        fprintf(f, "%" PRIu64 " execution%s", stats_runs(s), stats_runs(s) == 1 ? "" : "s");
        if (s->blocked)
                fprintf(f, " (%" PRIu64 " redundant)", s->blocked);
        fprintf(f, ", %.0f/s, ", rate(s));
        put_time(f, s->seconds);
        if (s->minimizing) {
                fputs(", minimising a failure", f);
                return;
        }
        if (s->share > 0)
                phrase_share(share, sizeof share, s, ", ", "");
        fputs(share, f);
        if (share[0])
                put_left(f, s);
        else if (s->share_bound)
                fprintf(f, ", now with up to %u preemption%s", s->share_bound - 1, s->share_bound == 2 ? "" : "s");
}

/* [low, high], or [low, null]. */
static void put_range(FILE *f, const char *key, struct stats_range r, double unit, int digits)
{
        fprintf(f, ", \"%s\": [", key);
        json_guess(f, r.low * unit, digits);
        fputs(", ", f);
        json_guess(f, r.high > 0 ? r.high * unit : INFINITY, digits);
        fputc(']', f);
}

void report_estimate(FILE *f, const struct stats *s)
{
        struct stats_range r = stats_range(s);

        fputs("{\"executions\": ", f);
        json_guess(f, s->expected_executions, 0);
        fputs(", \"seconds\": ", f);
        json_guess(f, s->expected_seconds, 6);
        fputs(", \"share\": ", f);
        json_double(f, s->share);
        put_range(f, "executions_range", r, 1, 0);
        put_range(f, "seconds_range", r, s->executions ? s->seconds / (double)s->executions : 0, 6);
        fputs(", \"confidence\": ", f);
        json_double(f, STATS_CONFIDENCE);
        if (s->share_bound)
                fprintf(f, ", \"preemptions\": %u", s->share_bound - 1);
        fputc('}', f);
}

static void put_object(FILE *f, const struct stats *s, const char *phase, bool guess)
{
        fprintf(f, "{\"phase\": \"%s\", \"seconds\": ", phase);
        json_double(f, s->seconds);
        fprintf(f,
                ", \"executions\": %" PRIu64 ", \"runs\": %" PRIu64 ", \"blocked\": %" PRIu64 ", \"probes\": %" PRIu64
                ", \"events\": %" PRIu64 ", \"per_second\": ",
                s->executions, stats_runs(s), s->blocked, s->probes, s->events);
        json_double(f, rate(s));
        fputs(", \"estimate\": ", f);
        if (s->share > 0 && guess) {
                report_estimate(f, s);
                fputs("}\n", f);
        } else {
                fputs("null}\n", f);
        }
}

void report_progress(FILE *f, const struct stats *s, enum report_progress how)
{
        if (how == REPORT_LIVE)
                fputs("\r\033[K", f);
        else if (how == REPORT_LINE)
                fputs("heddle: ", f);
        if (how == REPORT_OBJECT)
                put_object(f, s, s->minimizing ? "minimize" : "search", true);
        else if (s)
                put_words(f, s);
        if (how == REPORT_LINE)
                fputc('\n', f);
        fflush(f);
}

void report_progress_end(FILE *f, const struct stats *s)
{
        put_object(f, s, "end", !s->complete);
        fflush(f);
}
