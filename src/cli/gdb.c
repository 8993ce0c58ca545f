/*
 * `heddle gdb`: replays a schedule under gdb, with a kernel thread for each thread.
 *
 * gdb gets a script (gdb.py) with the commands, and the list of steps as `replay --steps` prints them; it starts the
 * program through this program (`--exec-target`), so that addresses are those of every other run.
 */
#include "cli/gdb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/explore.h"
#include "cli/help.h"
#include "cli/install_paths.h"
#include "cli/record/inputs.h"
#include "cli/replay.h"
#include "cli/status.h"
#include "op/op.h"
#include "report/report.h"
#include "target/debug.h"
#include "trace/schedule.h"

__asm__(".section .rodata\n"
        "heddle_gdb_script: .incbin \"cli/gdb.py\"\n"
        "heddle_gdb_script_end: .byte 0\n"
        ".previous\n");
extern const char heddle_gdb_script[], heddle_gdb_script_end[];

/* A stream over a file in memory that outlives exec; its descriptor in *fd. */
static FILE *memory_file(const char *name, int *fd)
{
        *fd = memfd_create(name, 0);
        return *fd < 0 ? NULL : fdopen(dup(*fd), "w");
}

/* Steps are entries, from 1.  (first, first that the program performs inside or 0, last) for each transaction: what becomes of it,
 * if nothing comes between, and its run; an abort performs nothing of it. */
static void put_transactions(FILE *f, const struct trace *t)
{
        fputs("TRANSACTIONS = [", f);
        for (uint32_t i = 1; i < t->n_events; i++) {
                const struct wire_event *e = &t->events[i];
                bool begins = e[-1].op == OP_TXN && e[-1].actor == e->actor, commits = e->value == WIRE_TXN_STARTED;
                uint32_t n = trace_transition_length(t, i);

                if (e->op == OP_TXN_RUN || e->op == OP_TXN_TRY)
                        fprintf(f, "(%u, %u, %u),", i + !begins, commits ? i + 1 + (n > 1) : 0, i + n);
        }
        fputs("]\n", f);
}

static int write_script(const struct trace *t, int up, size_t at, int steps)
{
        int fd;
        FILE *f = memory_file("heddle-gdb.py", &fd);

        if (!f)
                return -1;
        fprintf(f, "UP_FD, DEBUG_AT, STEPS_FD = %d, %zu, %d\n", up, at, steps);
        put_transactions(f, t);
        fwrite(heddle_gdb_script, 1, (size_t)(heddle_gdb_script_end - heddle_gdb_script), f);
        return fclose(f) == 0 ? fd : -1;
}

static int write_steps(const struct command *c, const struct trace *t)
{
        struct report_info info = command_report_info(c);
        int fd;
        FILE *f = memory_file("heddle-steps", &fd);

        if (!f)
                return -1;
        info.color = false;
        report_steps(f, &info, t);
        return fclose(f) == 0 ? fd : -1;
}

static char **gdb_command(void *arg, const struct trace *t, int launch, int up, size_t at)
{
        const struct command *c = arg;
        struct list words = {0};
        char self[4096];
        int steps = write_steps(c, t), script = steps < 0 ? -1 : write_script(t, up, at, steps);
        ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

        if (script < 0 || n <= 0)
                return NULL;
        self[n] = 0;
        list_add(&words, "gdb");
        list_add(&words, "-q");
        list_add(&words, "-nx");
        if (c->options.mi)
                list_add(&words, "--interpreter=mi2");
        if (c->options.batch)
                list_add(&words, "-batch");
        list_add(&words, "-ex");
        list_addf(&words, "set exec-wrapper '%s' --exec-target %d", self, launch);
        list_add(&words, "-ex");
        list_addf(&words, "python exec(open('/proc/self/fd/%d').read())", script);
        for (uint32_t i = 0; i < c->options.gdb_commands.n; i++) {
                list_add(&words, "-ex");
                list_add(&words, c->options.gdb_commands.words[i]);
        }
        list_add(&words, c->options.config.program);
        return words.words;
}

/* The schedule of an execution that is named by its number: that far the exploration is run. */
static int find_execution(struct command *c, struct replay *what, struct schedule_text *parsed)
{
        struct result result = {0};
        struct error why = {""};
        int err = command_prepare(c, OPTIONS_GDB);

        if (err)
                return err;
        c->options.config.capture = c->options.execution;
        c->options.config.keep_going = true;
        err = explore_program(&c->options.config, &result, &why, NULL, NULL);
        if (err)
                return err == ERROR_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text);
        if (!result.captured)
                return status_usage("--execution %llu: there are only %llu executions",
                                    (unsigned long long)c->options.execution,
                                    (unsigned long long)result.stats.executions);
        err = schedule_decode(parsed, result.captured, &why);
        result_fini(&result);
        what->text = parsed;
        return err < 0 ? status_internal("%s", why.text) : 0;
}

int gdb_main(char **argv)
{
        struct command command;
        struct schedule_text parsed = {0};
        struct replay what = {.kind = FINDING_KINDS};
        struct debugger debugger = {.command = gdb_command, .arg = &command};
        struct result result = {0};
        struct error why = {""};
        int err = command_parse(&command, OPTIONS_GDB, argv);

        if (err)
                return err;
        if (command.options.help)
                return help_command(stdout, "gdb", false);
        command.options.config.no_stdin = true;
        if (command.options.execution && !command.program && command.sources.n == 0)
                return status_usage("name the program: heddle gdb --execution N -- ./prog");
        err = command.options.execution ? find_execution(&command, &what, &parsed)
                                        : replay_prepare(&command, OPTIONS_GDB, "gdb", &what, &parsed);
        if (!err)
                err = inputs_enter_given(&command);
        if (err)
                return err;
        what.debugger = &debugger;
        err = explore_replay(&command.options.config, &what, &result, &why);
        schedule_fini(&parsed);
        result_fini(&result);
        if (err)
                return err == ERROR_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text);
        return WIFEXITED(debugger.status) ? WEXITSTATUS(debugger.status) : STATUS_INTERNAL;
}

int gdb_exec_target(const char *descriptor)
{
        debug_become(descriptor ? atoi(descriptor) : -1);
        return status_internal("cannot start the program: %s", strerror(errno));
}
