/*
 * Output files.  They are opened before the exploration, because a path that cannot be written must not cost an hour,
 * and emptied only when there is something to write.
 */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/list.h"
#include "cli/status.h"
#include "trace/trace_file.h"
#include "trace/schedule.h"

static int open_one(struct output *o, const char *path, const char *option)
{
        *o = (struct output){.path = path, .fd = -1};
        if (!path)
                return 0;
        if (strcmp(path, "-") == 0) {
                o->fd = dup(STDOUT_FILENO);
        } else {
                o->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
                o->created = o->fd >= 0;
                if (o->fd < 0 && errno == EEXIST)
                        o->fd = open(path, O_WRONLY | O_CLOEXEC);
        }
        if (o->fd < 0)
                return status_usage("--%s: cannot write %s: %s; name another file", option, path, strerror(errno));
        return 0;
}

static const char *const names[] = {
        [OUTPUT_JSON] = "json",   [OUTPUT_HTML] = "html",   [OUTPUT_SARIF] = "sarif",
        [OUTPUT_JUNIT] = "junit", [OUTPUT_TRACE] = "trace",
};

/* Two outputs must not go to the same place. */
static int check_distinct(const char *const *paths)
{
        for (int i = 0; i < OUTPUT_KINDS; i++)
                for (int k = 0; k < i && paths[i]; k++)
                        if (paths[k] && strcmp(paths[k], paths[i]) == 0)
                                return status_usage("--%s and --%s name the same file, %s; give each its own", names[k],
                                                    names[i], paths[i]);
        return 0;
}

int output_open(struct outputs *o, const struct config *config)
{
        const char *const paths[] = {
                [OUTPUT_JSON] = config->json,   [OUTPUT_HTML] = config->html,   [OUTPUT_SARIF] = config->sarif,
                [OUTPUT_JUNIT] = config->junit, [OUTPUT_TRACE] = config->trace,
        };
        int err = config->open && !config->html ? status_usage("--open opens the page of --html; give --html F as well")
                                                : check_distinct(paths);

        for (int i = 0; i < OUTPUT_KINDS; i++)
                o->files[i] = (struct output){NULL, -1, false};
        for (int i = 0; i < OUTPUT_KINDS && !err; i++)
                err = open_one(&o->files[i], paths[i], names[i]);
        if (err)
                output_drop(o);
        return err;
}

bool output_any(const struct outputs *o)
{
        for (int i = 0; i < OUTPUT_KINDS; i++)
                if (o->files[i].path)
                        return true;
        return false;
}

bool output_takes_stdout(const struct outputs *o)
{
        for (int i = 0; i < OUTPUT_KINDS; i++)
                if (o->files[i].path && strcmp(o->files[i].path, "-") == 0)
                        return true;
        return false;
}

static void drop_one(struct output *o)
{
        if (o->fd >= 0)
                close(o->fd);
        if (o->created)
                unlink(o->path);
        o->fd = -1;
        o->created = false;
}

void output_drop(struct outputs *o)
{
        for (int i = 0; i < OUTPUT_KINDS; i++)
                drop_one(&o->files[i]);
}

/* A stream over the file, emptied; the caller closes it. */
static FILE *begin(struct output *o)
{
        struct stat st;
        int fd = o->fd;

        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && strcmp(o->path, "-") != 0 && ftruncate(fd, 0) < 0)
                return NULL;
        o->fd = -1;
        o->created = false;
        return fdopen(fd, "w");
}

static int finish(FILE *f, int err, const char *path)
{
        int saved = errno;

        if (f && fclose(f) != 0 && err == 0) {
                err = -1;
                saved = errno;
        }
        return f && err == 0 ? 0 : status_usage("cannot write %s: %s", path, strerror(saved));
}

/* How the failure is to be run again is in the trace: options, and the program and its arguments, or, for sources, the
 * rest of the words that follow the schedule on the command line. */
static int write_trace(FILE *f, const struct command *c, const struct finding *finding)
{
        struct schedule_text text;
        struct list options = {0};
        for (size_t i = 0; i < c->n_options; i++)
                list_add(&options, c->tail.words[i]);
        struct trace_file_info info = {
                .program = (char *)c->options.config.name,
                .options = options.words,
                .argv = c->program ? c->options.config.argv : c->tail.words + c->n_options,
                .schedule = finding->schedule,
                .kind = (char *)finding_kind_name(finding->kind),
                .failure = finding->failure,
                .minimized = finding->minimized,
                .races = finding->races,
                .n_races = finding->n_races,
        };
        struct error why;

        if (finding->failure < finding->trace->n_failures)
                info.message = (char *)finding->trace->failures[finding->failure].text;
        if (finding->schedule && schedule_decode(&text, finding->schedule, &why) == 0) {
                info.fingerprint = text.head.fingerprint;
                schedule_fini(&text);
        }
        return trace_file_write(f, finding->trace, &info);
}

/* The trace of the first failure; without one there is nothing to write, and a file that is there stays. */
static int write_first_trace(struct output *o, const struct command *c, const struct result *r)
{
        if (r->n_findings > 0 && r->findings[0].trace) {
                FILE *f = begin(o);
                return finish(f, f ? write_trace(f, c, &r->findings[0]) : -1, o->path);
        }
        if (!c->options.config.quiet)
                status_note("no failure, so nothing was written to %s", o->path);
        drop_one(o);
        return 0;
}

/* Says where the page is, and opens it (--open). */
static void show_page(const char *path, const struct config *config)
{
        const char *browser = getenv("BROWSER");
        char *real = list_path(path), *words[] = {(char *)(browser && *browser ? browser : "xdg-open"), real, NULL};
        pid_t pid;
        int status;

        if (!real || strcmp(path, "-") == 0)
                return;
        if (!config->quiet)
                status_note("the page is %s%s", real, config->open ? "" : " (--open opens it)");
        if (!config->open)
                return;
        if (posix_spawnp(&pid, words[0], NULL, NULL, words, environ) != 0 || waitpid(pid, &status, 0) != pid ||
            status != 0)
                status_note("%s does not open it; set BROWSER to a program that does", words[0]);
}

int output_write(struct outputs *o, const struct command *c, const struct report_info *info, const struct result *r,
                 bool text)
{
        static int (*const writers[])(FILE *, const struct report_info *, const struct result *) = {
                [OUTPUT_JSON] = report_json,
                [OUTPUT_HTML] = report_html,
                [OUTPUT_SARIF] = report_sarif,
                [OUTPUT_JUNIT] = report_junit,
        };
        int status = 0;

        if (text && !output_takes_stdout(o)) {
                report_text(stdout, info, r);
                fflush(stdout);
        }
        for (int i = 0; i < OUTPUT_KINDS; i++) {
                struct output *out = &o->files[i];
                int err;
                if (!out->path)
                        continue;
                if (i == OUTPUT_TRACE) {
                        err = write_first_trace(out, c, r);
                } else {
                        FILE *f = begin(out);
                        err = finish(f, f ? writers[i](f, info, r) : -1, out->path);
                        if (i == OUTPUT_HTML && !err)
                                show_page(out->path, &c->options.config);
                }
                status = status ? status : err;
        }
        return status;
}
