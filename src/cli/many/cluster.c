/*
 * `heddle cluster`: reads what the coordinator and the workers of a search tell, and changes nothing.  On a terminal it
 * continues until the search is over; else it prints once.
 */
#include "cli/many/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "parallel/store/jobstore_open.h"
#include "parallel/remote_format.h"

#define RECENT 30.0 /* seconds: workers that were heard of */

struct worker_row {
        char name[128];
        struct remote_figures figures;
};

struct view {
        struct jobstore *store;
        struct remote_told told;
        struct worker_row *rows;
        uint32_t n;
};

static void add_row(void *arg, const char *name, struct stream *body)
{
        struct view *v = arg;
        struct worker_row row = {0}, *all;

        if (!jobstore_unseal(body, NULL, SEALED_FIGURES, 0))
                return;
        stream_get(body, &row.figures, sizeof row.figures);
        if (!stream_done(body))
                return;
        snprintf(row.name, sizeof row.name, "%s", name);
        all = realloc(v->rows, (v->n + 1) * sizeof *all);
        if (!all)
                return;
        v->rows = all;
        v->rows[v->n++] = row;
}

static int by_name(const void *a, const void *b)
{
        return strcmp(((const struct worker_row *)a)->name, ((const struct worker_row *)b)->name);
}

/* 0, or an exit status. */
static int look(struct view *v)
{
        struct stream body = STREAM_INIT;
        int e = v->store->ops->get(v->store, BLOB_TOLD, &body);

        if (e > 0 && jobstore_unseal(&body, NULL, BLOB_TOLD, 0))
                stream_get(&body, &v->told, sizeof v->told);
        else
                body.failed = true;
        v->told.program[sizeof v->told.program - 1] = 0;
        e = e < 0                 ? status_usage("%s", v->store->why.text)
            : !stream_done(&body) ? status_usage("there is no search in this place")
                                  : 0;
        stream_fini(&body);
        v->n = 0;
        if (!e && v->store->ops->workers(v->store, RECENT, add_row, v) < 0)
                e = status_usage("%s", v->store->why.text);
        if (v->n)
                qsort(v->rows, v->n, sizeof *v->rows, by_name);
        return e;
}

static double rate_of(uint64_t executions, double seconds)
{
        return seconds > 0 ? (double)executions / seconds : 0;
}

/* Milliseconds of processor time that a job takes beside its executions. */
static double cost_of(const struct remote_figures *w)
{
        return w->jobs ? w->spent * 1000 / (double)w->jobs : 0;
}

static double busy_of(const struct remote_figures *w)
{
        return w->seconds > 0 ? w->busy / w->seconds * 100 : 0;
}

/* When the failure was found that ended the search. */
static void put_failed(double date, FILE *f)
{
        time_t secs = (time_t)date;
        struct tm tm;
        char text[64];

        if (date > 0 && gmtime_r(&secs, &tm) && strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm))
                fprintf(f, " (ended by what a worker found at %s.%03d UTC)", text, (int)((date - (double)secs) * 1000));
}

static void put_text(const struct view *v, FILE *f)
{
        const struct remote_told *t = &v->told;

        fprintf(f, "%s: %s", t->program, t->over ? "the search is over" : "searching");
        put_failed(t->failed, f);
        fputc('\n', f);
        fprintf(f,
                "  %llu executions (%llu redundant), %.0f s, %.0f/s; %.1f %% of the jobs explored; %u failure%s; %u "
                "jobs\n",
                (unsigned long long)t->executions, (unsigned long long)t->blocked, t->seconds,
                rate_of(t->executions, t->seconds), t->share * 100, t->failures, t->failures == 1 ? "" : "s", t->jobs);
        fprintf(f, "  %u worker%s\n", v->n, v->n == 1 ? "" : "s");
        for (uint32_t i = 0; i < v->n; i++) {
                const struct remote_figures *w = &v->rows[i].figures;
                fprintf(f,
                        "    %-40s %10llu executions, %6.0f/s, %5llu jobs (%.1f ms beside executions), busy %3.0f %%\n",
                        v->rows[i].name, (unsigned long long)w->executions, rate_of(w->executions, w->busy),
                        (unsigned long long)w->jobs, cost_of(w), busy_of(w));
        }
}

/* A text of the page: no character of it is markup. */
static void put_escaped(FILE *f, const char *text)
{
        for (; *text; text++)
                if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
                        fprintf(f, "&#%d;", *text);
                else
                        fputc(*text, f);
}

static int put_html(const struct view *v, const char *path)
{
        const struct remote_told *t = &v->told;
        char *part = list_format("%s.XXXXXX.part", path);
        int fd = mkostemps(part, (int)strlen(".part"), O_CLOEXEC); /* a new file, and ours alone */
        FILE *f = fd >= 0 && !fchmod(fd, 0644) ? fdopen(fd, "w") : NULL;

        if (!f)
                return status_usage("--html: cannot write %s", path);
        fputs("<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>heddle cluster</title>", f);
        fputs(t->over ? "" : "<meta http-equiv=\"refresh\" content=\"2\">", f);
        fputs("<style>body{font:16px sans-serif;margin:2em}td,th{padding:.2em "
              "1em;text-align:right}td:first-child{text-align:left}"
              "progress{width:20em}</style><h1>",
              f);
        put_escaped(f, t->program);
        fprintf(f,
                "</h1><p>%s. %llu executions, %llu redundant, %.0f s; %u failures; %u jobs.</p><p><progress max=\"1\" "
                "value=\"%.4f\"></progress> %.1f %% of the jobs explored</p>",
                t->over ? "The search is over" : "Searching", (unsigned long long)t->executions,
                (unsigned long long)t->blocked, t->seconds, t->failures, t->jobs, t->share, t->share * 100);
        fputs("<table><tr><th>worker<th>executions<th>per second<th>jobs<th>ms beside executions<th>busy", f);
        for (uint32_t i = 0; i < v->n; i++) {
                const struct remote_figures *w = &v->rows[i].figures;
                fputs("<tr><td>", f);
                put_escaped(f, v->rows[i].name);
                fprintf(f, "<td>%llu<td>%.0f<td>%llu<td>%.1f<td>%.0f %%", (unsigned long long)w->executions,
                        rate_of(w->executions, w->busy), (unsigned long long)w->jobs, cost_of(w), busy_of(w));
        }
        fputs("</table></html>\n", f);
        if (fclose(f) || rename(part, path))
                return status_usage("--html: cannot write %s", path);
        return 0;
}

/* A directory that is not there stays so: a watcher makes none.  0, or an exit status. */
static int open_store(struct view *v, const char *url)
{
        struct error why = {""};

        if (!strstr(url, "://") && access(url, F_OK))
                return status_usage("%s: there is no search in this place", url);
        v->store = jobstore_open(url, &why);
        return v->store ? 0 : status_usage("%s", why.text);
}

int cluster_command(char **argv)
{
        struct command command;
        struct view v = {0};
        bool live = isatty(STDOUT_FILENO);
        int e = command_parse(&command, OPTIONS_REPORT, argv);

        if (e)
                return e;
        if (command.options.help)
                return help_command(stdout, "cluster", false);
        if (command.args.n != 1)
                return status_usage("name the search: heddle cluster URL");
        temp_watch_signals();
        e = open_store(&v, command.args.words[0]);
        if (e)
                return e;
        do {
                e = look(&v);
                if (!e && live)
                        fputs("\033[H\033[2J", stdout);
                if (!e)
                        put_text(&v, stdout);
                fflush(stdout);
                if (!e && command.options.config.html)
                        e = put_html(&v, command.options.config.html);
                if (!e && live && !v.told.over)
                        jobstore_nap(1);
        } while (!e && live && !v.told.over && !loop_interrupted);
        v.store->ops->close(v.store);
        free(v.rows);
        return e;
}
