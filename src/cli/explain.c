/*
 * `heddle explain`: a failing schedule made as simple as can be, and explained.  The program runs many times, so that what it
 * prints is not shown.
 */
#include "cli/explain.h"

#include <stdio.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/record/inputs.h"
#include "cli/replay.h"
#include "cli/status.h"
#include "cli/explore.h"

#define SECONDS 60

static int report(struct command *c, const struct replay *what, struct outputs *out, const struct result *result)
{
        struct report_info info = command_report_info(c);
        int status;

        info.single = true;
        if (result->n_findings > 0 && c->options.steps && !output_takes_stdout(out))
                report_steps(stdout, &info, result->findings[0].trace);
        status = output_write(out, c, &info, result, result->n_findings > 0);
        if (status == 0 && result->n_findings == 0 && result->other_build) {
                if (!output_takes_stdout(out) && !c->options.config.quiet)
                        puts(replay_no_failure(what, result));
                return STATUS_SAFE;
        }
        if (status == 0 && result->n_findings == 0)
                return status_usage("the schedule does not fail, so there is nothing to explain");
        return status ? status : STATUS_FAILURE;
}

static int run(struct command *c, const struct replay *what)
{
        struct result result = {0};
        struct outputs out;
        struct error why = {""};
        int status = output_open(&out, &c->options.config);

        if (!status)
                status = inputs_enter_given(c);
        if (status)
                return status;
        int err = explore_replay(&c->options.config, what, &result, &why);
        if (err) {
                output_drop(&out);
                status = err == ERROR_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text);
        } else {
                status = report(c, what, &out, &result);
        }
        result_fini(&result);
        return status;
}

int explain_main(char **argv)
{
        struct command command;
        struct schedule_text parsed = {0};
        struct replay what = {.kind = FINDING_KINDS};
        int err = command_parse(&command, OPTIONS_EXPLAIN, argv);

        if (err)
                return err;
        if (command.options.help)
                return help_command(stdout, "explain", false);
        double seconds = command.options.config.minimize_seconds;
        if (seconds < 0)
                return status_usage("--minimize never leaves nothing to do; use heddle replay");
        what.minimize = seconds > 0 ? seconds : SECONDS;
        err = replay_prepare(&command, OPTIONS_EXPLAIN, "explain", &what, &parsed);
        if (!err)
                err = run(&command, &what);
        schedule_fini(&parsed);
        return err;
}
