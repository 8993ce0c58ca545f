/*
 * `heddle replay`.  The schedule is a text as reports print it, a trace file, or a list of threads; a trace file also
 * names the program, so none need be given with it.
 */
#include "cli/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cc/cc_line.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/record/inputs.h"
#include "cli/record/own.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "cli/explore.h"
#include "trace/trace_file.h"
#include "trace/schedule.h"

/* "0 1 1 2" or "0,1,1,2".  0, or STATUS_USAGE after saying what is wrong. */
static int read_threads(struct replay *what, const char *text)
{
        uint16_t *threads = list_alloc((strlen(text) + 1) * sizeof *threads);
        const char *at = text;

        for (;;) {
                char *end;
                at += strspn(at, " ,\t");
                if (!*at)
                        break;
                unsigned long n = strtoul(at, &end, 10);
                if (end == at || (*end && !strchr(" ,\t", *end)))
                        return status_usage(
                                "'%.80s' is not a schedule; give a text that begins with h1:, a trace file, or "
                                "threads such as 0,1,1,2",
                                text);
                if (n >= WIRE_MAX_THREADS)
                        return status_usage("thread %lu is out of range; the highest number is %u", n,
                                            WIRE_MAX_THREADS - 1);
                threads[what->n_threads++] = (uint16_t)n;
                at = end;
        }
        if (what->n_threads == 0)
                return status_usage("the schedule is empty; give one such as 0,1,1,2");
        what->threads = threads;
        return 0;
}

/* The command line that was recorded with a trace, where none was given. */
static int take_recorded(struct command *c, enum options_command which, const struct trace_file_info *info)
{
        bool named = c->program || c->sources.n > 0;

        if (!named && (!info->program || !info->argv))
                return status_usage("the trace does not name its program; give it after --");
        if (named || ccline_source(info->program))
                return command_recall(c, which, info->options, info->argv);
        int err = command_recall(c, which, info->options, NULL);
        c->program = info->program;
        for (size_t i = 1; info->argv[0] && info->argv[i]; i++)
                list_add(&c->args, info->argv[i]);
        return err;
}

/* What was recorded lives as long as the process: the command's words point into it. */
static int read_trace(struct command *c, enum options_command which, const char **text, enum finding_kind *kind)
{
        struct trace_file_info *info = list_alloc(sizeof *info);
        struct trace *trace;
        struct error why;
        FILE *f = fopen(c->schedule, "re");

        if (!f)
                return status_usage("%s: %s", c->schedule, strerror(errno));
        int err = trace_file_read(f, &trace, info, &why);
        fclose(f);
        if (err < 0)
                return status_usage("%s: %s", c->schedule, why.text);
        free(trace);
        *text = info->schedule;
        *kind = finding_kind_named(info->kind);
        if (!info->schedule)
                return status_usage("%s contains no schedule, so it cannot be replayed", c->schedule);
        err = take_recorded(c, which, info);
        if (!err && *kind == FINDING_LEAK && !options_given(&c->options, "leaks"))
                c->options.config.leaks = LEAKS_ALL;
        return err;
}

/* The memory model of the schedule.  A text that names none may be one of sc, or written by hand. */
static int take_memory(struct command *c, enum options_command which, const struct schedule_head *head)
{
        const struct config *config = &c->options.config;
        struct list words = {0};
        char word[32];

        if (head->memory == WIRE_MEMORY_SC)
                return 0;
        list_addf(&words, "--memory=%s", options_word("memory", head->memory, word));
        if (head->posix_fences)
                list_add(&words, "--posix-fences");
        int err = command_recall(c, which, words.words, NULL);
        if (err)
                return err;
        if (config->memory != head->memory || config->posix_fences != head->posix_fences)
                return status_usage(
                        "the schedule needs --memory %s%s; leave other memory models and --posix-fences out", word,
                        head->posix_fences ? " --posix-fences" : "");
        return 0;
}

static int read_schedule(struct command *c, enum options_command which, struct replay *what,
                         struct schedule_text *parsed)
{
        const char *text = c->schedule;
        struct error why;

        if (!schedule_is_text(text)) {
                if (trace_file_is(text)) {
                        int err = read_trace(c, which, &text, &what->kind);
                        if (err)
                                return err;
                } else {
                        return read_threads(what, text);
                }
        }
        if (schedule_decode(parsed, text, &why) < 0)
                return status_usage("the schedule is damaged: %s", why.text);
        what->text = parsed;
        return take_memory(c, which, &parsed->head);
}

const char *replay_no_failure(const struct replay *what, const struct result *r)
{
        return r->other_build && what->text && what->text->head.fails
                       ? "The schedule was followed to its end: this schedule no longer fails (it is from another "
                         "build)."
                       : "The schedule was followed to its end: no failure.";
}

static int run(struct command *c, const struct replay *what)
{
        const struct config *config = &c->options.config;
        struct result result = {0};
        struct outputs out;
        struct own own = {0};
        struct error why = {""};
        int status = output_open(&out, config);

        if (!status)
                status = inputs_enter_given(c);
        if (!status && c->options.record)
                status = own_begin(&own, c);
        if (status)
                return status;
        int err = explore_replay(config, what, &result, &why);
        fflush(stdout);
        if (err) {
                output_drop(&out);
                result_fini(&result);
                return err == ERROR_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text);
        }
        struct report_info info = command_report_info(c);
        info.single = true;
        const struct trace *trace = result.replayed;
        if (!trace && result.n_findings > 0)
                trace = result.findings[0].trace;
        bool silent = output_takes_stdout(&out);
        if (what->steps && trace && !silent)
                report_steps(stdout, &info, trace);
        status = output_write(&out, c, &info, &result, result.n_findings > 0);
        if (result.n_findings == 0 && !silent && !config->quiet)
                puts(replay_no_failure(what, &result));
        if (status == 0 && own.memory)
                status = own_end(&own, c->options.record, c, &result);
        if (status == 0)
                status = result.n_findings > 0 ? STATUS_FAILURE : STATUS_SAFE;
        result_fini(&result);
        return status;
}

int replay_prepare(struct command *c, enum options_command which, const char *name, struct replay *what,
                   struct schedule_text *parsed)
{
        if (!c->schedule)
                return status_usage("give the schedule: heddle %s SCHEDULE -- PROGRAM", name);
        int err = read_schedule(c, which, what, parsed);
        if (err)
                return err;
        if (!c->program && c->sources.n == 0)
                return status_usage("name the program: heddle %s SCHEDULE -- ./prog, or heddle %s SCHEDULE prog.c",
                                    name, name);
        temp_watch_signals();
        err = inputs_load_given(c);
        return err ? err : command_prepare(c, which);
}

int replay_main(char **argv)
{
        struct command command;
        struct schedule_text parsed = {0};
        struct replay what = {.kind = FINDING_KINDS};
        int err = command_parse(&command, OPTIONS_REPLAY, argv);

        if (err)
                return err;
        if (command.options.help)
                return help_command(stdout, "replay", false);
        err = replay_prepare(&command, OPTIONS_REPLAY, "replay", &what, &parsed);
        what.steps = command.options.steps;
        if (!err)
                err = run(&command, &what);
        schedule_fini(&parsed);
        return err;
}
