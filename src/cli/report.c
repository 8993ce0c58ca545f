/*
 * `heddle report`.  A trace file holds one execution; the result made of it claims nothing about any other, so it is
 * never complete.  The exit status is 0 when the report was written.
 */
#include "cli/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cc/cc_line.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/record/timeline.h"
#include "cli/status.h"
#include "record/recording.h"
#include "trace/trace_file.h"
#include "trace/schedule.h"

static void fill(struct result *r, struct finding *finding, struct trace *t, const struct trace_file_info *info)
{
        *r = (struct result){
                .stats = {.executions = 1,
                          .events = t->n_events,
                          .transitions = t->n_transitions,
                          .threads = trace_threads(t)},
                .facts = {.modules = (struct wire_module *)t->modules, .n_modules = t->n_modules},
        };
        reasons_add(&r->stats.reasons, REASON_TRACE, NULL);
        enum finding_kind kind = finding_kind_named(info->kind);
        if (kind == FINDING_KINDS)
                return;
        *finding = (struct finding){
                .kind = kind,
                .count = 1,
                .execution = 1,
                .failure = info->failure,
                .minimized = info->minimized,
                .races = info->races,
                .n_races = info->n_races,
                .preemptions = schedule_preemptions(t, info->failure, NULL),
                .schedule = info->schedule,
                .trace = t,
        };
        r->findings = finding;
        r->n_findings = 1;
}

static void name_program(struct command *c, const struct trace_file_info *info)
{
        c->options.config.name = info->program;
        for (size_t i = 0; info->options && info->options[i]; i++)
                list_add(&c->tail, info->options[i]);
        if (info->program && !ccline_source(info->program))
                list_add(&c->tail, "--");
        for (size_t i = 0; info->argv && info->argv[i]; i++)
                list_add(&c->tail, info->argv[i]);
}

/* The memory model that the schedule names; NULL where it names none. */
static const char *memory_of(const struct trace_file_info *info)
{
        struct schedule_text text;
        struct error why;
        char word[32];

        if (!info->schedule || schedule_decode(&text, info->schedule, &why) < 0)
                return NULL;
        uint32_t memory = text.head.memory;
        schedule_fini(&text);
        return memory == WIRE_MEMORY_SC ? NULL : list_format("%s", options_word("memory", memory, word));
}

static int report(struct command *c, struct trace *trace, const struct trace_file_info *recorded)
{
        struct result result;
        struct finding finding;
        struct outputs out;
        int status = output_open(&out, &c->options.config);

        if (status)
                return status;
        name_program(c, recorded);
        fill(&result, &finding, trace, recorded);
        struct report_info info = command_report_info(c);
        info.single = true;
        info.strategy = info.preempt = NULL;
        info.memory = memory_of(recorded);
        return output_write(&out, c, &info, &result, c->options.text || !output_any(&out));
}

int report_main(char **argv)
{
        struct command command;
        struct trace_file_info recorded;
        struct trace *trace;
        struct error why;
        int err = command_parse(&command, OPTIONS_REPORT, argv);

        if (err)
                return err;
        if (command.options.help)
                return help_command(stdout, "report", false);
        if (command.args.n != 1)
                return status_usage("name one trace file: heddle report TRACE");
        const char *path = command.args.words[0];
        if (recording_is(path))
                return timeline_main(path);
        FILE *f = fopen(path, "re");
        if (!f)
                return status_usage("%s: %s", path, strerror(errno));
        err = trace_file_read(f, &trace, &recorded, &why);
        fclose(f);
        if (err < 0)
                return status_usage("%s: %s", path, why.text);
        err = report(&command, trace, &recorded);
        free(trace);
        trace_file_info_fini(&recorded);
        return err;
}
