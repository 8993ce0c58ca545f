/*
 * `heddle check`.  The verdict follows from the result alone: a failure is 1, everything covered without one is 0, and
 * anything else is 4, never called safe.
 */
#include "cli/check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/many/shard_file.h"
#include "cli/output.h"
#include "verdict/result_check.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "base/deadline.h"
#include "cli/explore.h"
#include "report/style.h"
#include "binary/instrumentation.h"

#define LINE_SECONDS 10 /* between two lines that stay */
#define JSON_SECONDS 1

/* What is reported while it runs, and how often. */
struct live {
        enum report_progress how;
        double every, told; /* seconds */
        bool wanted, shown;
};

static void show_progress(void *arg, const struct stats *s)
{
        struct live *live = arg;

        if (s->seconds - live->told < live->every)
                return;
        live->told = s->seconds;
        report_progress(stderr, s, live->how);
        live->shown = true;
}

static struct live live_init(const struct config *config)
{
        bool tty = style_terminal(STDERR_FILENO);

        switch (config->progress) {
        case WHEN_NEVER: return (struct live){.wanted = false};
        case WHEN_JSON: return (struct live){.how = REPORT_OBJECT, .every = JSON_SECONDS, .wanted = true};
        case WHEN_ALWAYS: return (struct live){.how = tty ? REPORT_LIVE : REPORT_LINE, .wanted = true};
        default:
                return tty ? (struct live){.how = REPORT_LIVE, .wanted = !config->quiet}
                           : (struct live){.how = REPORT_LINE, .every = LINE_SECONDS, .wanted = !config->quiet};
        }
}

static void live_end(const struct live *live, const struct stats *s)
{
        if (live->wanted && live->how == REPORT_OBJECT)
                report_progress_end(stderr, s);
        else if (live->shown && live->how == REPORT_LIVE)
                report_progress(stderr, NULL, REPORT_LIVE);
}

int check_status(const struct result *r)
{
        if (r->n_findings > 0)
                return STATUS_FAILURE;
        return r->stats.complete ? STATUS_SAFE : STATUS_LIMIT;
}

/* What a verdict does not cover: reported under --verbose. */
static void note_unwatched(const struct result *r)
{
        for (uint32_t i = 1; i < r->facts.n_modules; i++)
                if (r->facts.modules[i].path[0] == '/' && !strstr(r->facts.modules[i].path, "/libheddle-rt.so") &&
                    watched_module(r->facts.modules[i].path) != WATCHED_ACCESSES)
                        log_note("not covered: memory accesses in %s", r->facts.modules[i].path);
}

/* What it takes for granted, likewise. */
static void note_assumed(const struct result *r)
{
        for (uint32_t i = 0; i < r->facts.n_assumed; i++)
                log_note("assumed to be the same in every execution: %s", r->facts.assumed[i]);
        if (r->facts.unfiltered)
                log_note("assumed to be the same in every execution: every file opened while the program runs");
}

static int explore(const struct command *c, struct outputs *out)
{
        const struct config *config = &c->options.config;
        struct live live = live_init(config);
        struct result result = {0};
        struct error why = {""};
        int err = explore_program(config, &result, &why, live.wanted ? show_progress : NULL, &live);

        live_end(&live, &result.stats);
        if (err) {
                int status = err == ERROR_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text);
                if (!result.n_findings) {
                        output_drop(out);
                        result_fini(&result);
                        return status;
                }
        }
        struct report_info info = command_report_info(c);
        if (config->shards && shard_file_make(&result, &info, config))
                return status_internal("out of memory");
        result_check(&result);
        if (result.not_saved[0])
                status_note("%s", result.not_saved);
        if (config->verbose) {
                note_unwatched(&result);
                note_assumed(&result);
        }
        int status = output_write(out, c, &info, &result, true);
        if (status == 0 || result.n_findings) /* a file that cannot be written does not hide a failure */
                status = check_status(&result);
        result_fini(&result);
        return status;
}

int check_main(char **argv)
{
        struct command command;
        struct outputs out;
        int err = command_parse(&command, OPTIONS_CHECK, argv);

        if (err)
                return err;
        if (command.options.help)
                return help_command(stdout, "check", false);
        if (!command.program && command.sources.n == 0)
                return status_usage("name what to check: heddle check prog.c, or heddle check ./prog");
        temp_watch_signals();
        err = command_prepare(&command, OPTIONS_CHECK);
        if (loop_interrupted) {
                fputs("heddle: interrupted\n", stderr);
                return STATUS_LIMIT;
        }
        if (err)
                return err;
        err = output_open(&out, &command.options.config);
        return err ? err : explore(&command, &out);
}
