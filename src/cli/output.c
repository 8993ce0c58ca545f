/*
 * Output files.  They are opened before the exploration, because a path that cannot be written must not cost an hour,
 * and emptied only when there is something to write.
 */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/status.h"
#include "trace/file.h"
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

int output_open(struct outputs *o, const struct config *config)
{
        *o = (struct outputs){{NULL, -1, false}, {NULL, -1, false}};
        if (config->json && config->trace && strcmp(config->json, config->trace) == 0)
                return status_usage("--json and --trace name the same file, %s; give each its own", config->json);
        int err = open_one(&o->json, config->json, "json");
        if (!err)
                err = open_one(&o->trace, config->trace, "trace");
        if (err)
                output_drop(o);
        return err;
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
        drop_one(&o->json);
        drop_one(&o->trace);
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

/* How the failure is to be run again stands in the trace: the program and its arguments, or, for sources, the words
 * that follow the schedule on the command line. */
static int write_trace(FILE *f, const struct command *c, const struct finding *finding)
{
        struct schedule_text text;
        struct trace_file_info info = {
                .program = (char *)c->options.config.name,
                .argv = c->program ? c->options.config.argv : c->tail.words,
                .schedule = finding->schedule,
                .kind = (char *)finding_kind_name(finding->kind),
        };
        char why[256];

        if (finding->failure < finding->trace->n_failures)
                info.message = (char *)finding->trace->failures[finding->failure].text;
        if (finding->schedule && schedule_decode(&text, finding->schedule, why) == 0) {
                info.fingerprint = text.fingerprint;
                schedule_fini(&text);
        }
        return trace_file_write(f, finding->trace, &info);
}

int output_json(struct outputs *o, const struct report_info *info, const struct result *r)
{
        FILE *f = begin(&o->json);

        return finish(f, f ? report_json(f, info, r) : -1, o->json.path);
}

int output_write(struct outputs *o, const struct command *c, const struct report_info *info, const struct result *r)
{
        int status = 0;
        bool json_only = o->json.path && strcmp(o->json.path, "-") == 0;
        bool trace_only = o->trace.path && strcmp(o->trace.path, "-") == 0;

        if (!json_only && !trace_only) {
                report_text(stdout, info, r);
                fflush(stdout);
        }
        if (o->json.path)
                status = output_json(o, info, r);
        if (o->trace.path && r->n_findings > 0 && r->findings[0].trace) {
                FILE *f = begin(&o->trace);
                int err = finish(f, f ? write_trace(f, c, &r->findings[0]) : -1, o->trace.path);
                status = status ? status : err;
        } else if (o->trace.path) {
                if (!c->options.config.quiet)
                        fprintf(stderr, "heddle: no failure, so nothing was written to %s\n", o->trace.path);
                drop_one(&o->trace);
        }
        return status;
}
