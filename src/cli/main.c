/*
 * heddle: finds the command and hands over.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/build.h"
#include "cli/cc/assembler.h"
#include "cli/cc/cc.h"
#include "cli/check.h"
#include "cli/completion.h"
#include "cli/doctor.h"
#include "cli/explain.h"
#include "cli/gdb.h"
#include "cli/help.h"
#include "cli/many/cluster.h"
#include "cli/many/merge.h"
#include "cli/many/worker.h"
#include "cli/option/option_list.h"
#include "cli/record/record.h"
#include "cli/replay.h"
#include "cli/report.h"
#include "cli/record/reproduce.h"
#include "cli/static.h"
#include "cli/status.h"
#include "cli/option/value.h"

/* What was printed must have arrived: a full disk is not a success.  A failure that was found stays one. */
static int flushed(int status)
{
        bool lost = ferror(stdout);

        if (fflush(stdout) == 0 && !lost)
                return status;
        int said = status_usage("cannot write to standard output: %s",
                                errno ? strerror(errno) : "the output is incomplete");
        return status == STATUS_SAFE ? said : status;
}

/* A closed standard stream would be given to the first file that is opened.  In its place: one that cannot be used. */
static void keep_streams(void)
{
        for (int fd = 0; fd < 3; fd++)
                if (fcntl(fd, F_GETFD) < 0)
                        (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* For scripts/man-options.sh: the option list of a man page. */
static int man_options(const char *command)
{
        int at = command ? value_word("check replay report gdb explain", command) : -1;

        if (at < 0)
                return status_usage("--man-options needs check, replay, report, gdb or explain");
        optlist_roff(stdout, (enum options_command)(1 << at));
        return STATUS_SAFE;
}

static int unknown(const char *name)
{
        char near[64];

        value_nearest(near, help_commands(), name);
        if (access(name, F_OK) == 0)
                return status_usage("unknown command '%s' (did you mean 'heddle check %s'?)", name, name);
        if (near[0])
                return status_usage("unknown command '%s' (did you mean '%s'?)", name, near);
        return status_usage("unknown command '%s'; 'heddle --help' lists all commands", name);
}

static int dispatch(char **argv)
{
        const char *name = argv[0];

        if (strcmp(name, "--version") == 0) {
                printf("heddle %s\n", HEDDLE_VERSION);
                return STATUS_SAFE;
        }
        if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
                if (argv[1])
                        return help_command(stdout, argv[1], true) < 0 ? unknown(argv[1]) : STATUS_SAFE;
                help_all(stdout);
                return STATUS_SAFE;
        }
        if (strcmp(name, "--exec-target") == 0)
                return gdb_exec_target(argv[1]);
        if (strcmp(name, "--man-options") == 0)
                return man_options(argv[1]);
        if (value_word(help_commands(), name) < 0)
                return unknown(name);
        if (strcmp(name, "check") == 0)
                return check_main(argv + 1);
        if (strcmp(name, "replay") == 0)
                return replay_main(argv + 1);
        if (strcmp(name, "explain") == 0)
                return explain_main(argv + 1);
        if (strcmp(name, "gdb") == 0)
                return gdb_main(argv + 1);
        if (strcmp(name, "report") == 0)
                return report_main(argv + 1);
        if (strcmp(name, "record") == 0)
                return record_main(argv + 1);
        if (strcmp(name, "reproduce") == 0)
                return reproduce_main(argv + 1);
        if (strcmp(name, "merge") == 0)
                return merge_main(argv + 1);
        if (strcmp(name, "worker") == 0)
                return worker_command(argv + 1);
        if (strcmp(name, "cluster") == 0)
                return cluster_command(argv + 1);
        if (strcmp(name, "build") == 0)
                return build_main(argv + 1);
        if (strcmp(name, "static") == 0)
                return static_main(argv + 1);
        if (strcmp(name, "doctor") == 0)
                return doctor_main(argv + 1);
        if (strcmp(name, "completion") == 0)
                return completion_main(argv + 1);
        if (argv[1] && strcmp(argv[1], "--help") == 0 && !argv[2])
                return help_command(stdout, name, false);
        return cc_main(strcmp(name, "c++") == 0, argv + 1);
}

/* A link to heddle may bear the name of a compiler, for build systems that need one word, or of what compilers start. */
static bool named(const char *self, const char *name)
{
        const char *slash = strrchr(self, '/');

        return strcmp(slash ? slash + 1 : self, name) == 0;
}

int main(int argc, char **argv)
{
        keep_streams();
        bool cxx = argc > 0 && named(argv[0], "heddle-c++");

        if (cxx || (argc > 0 && named(argv[0], "heddle-cc")))
                return cc_main(cxx, argv + 1);
        if (argc > 0 && named(argv[0], "as"))
                return assembler_main(argv + 1);
        if (argc < 2) {
                help_all(stderr);
                return STATUS_USAGE;
        }
        return flushed(dispatch(argv + 1));
}
