/*
 * The help texts.  The options in them come from the table.
 */
#include "cli/help.h"

#include <string.h>

#include "cli/options.h"

static const struct {
        const char *name;
        int options; /* enum options_command, 0: none */
        const char *usage, *text;
} commands[] = {
        {"check", OPTIONS_CHECK,
         "heddle check [options] FILE.c... [-- ARG...]\n"
         "       heddle check [options] PROGRAM [ARG...]",
         "Runs a multithreaded program under every inequivalent schedule.  Sources are compiled with\n"
         "instrumentation first; -D -I -U -O -l -L -W -std= -f -m -g and -pthread are for the compiler (-O0 -g).\n"
         "Options may also stand in a file .heddle beside the program; the command line wins.\n"},
        {"cc", 0, "heddle cc [--compiler gcc|clang] ARG...",
         "The machine's C compiler plus instrumentation: same flags, same exit status (CC=\"heddle cc\").\n"
         "Takes clang where it is installed; --compiler or HEDDLE_COMPILER choose.\n"},
        {"c++", 0, "heddle c++ [--compiler gcc|clang] ARG...",
         "The machine's C++ compiler plus instrumentation: same flags, same exit status (CXX=\"heddle c++\").\n"
         "Takes clang where it is installed; --compiler or HEDDLE_COMPILER choose.\n"},
        {"replay", OPTIONS_REPLAY,
         "heddle replay [options] SCHEDULE [-- PROGRAM ARG...]\n"
         "       heddle replay [options] SCHEDULE FILE.c... [-- ARG...]",
         "Runs one schedule again, with the program's output.  SCHEDULE is the text that a report prints (h1:...),\n"
         "a trace file, or a list of threads such as 0,1,1,2.\n"},
        {"gdb", OPTIONS_GDB,
         "heddle gdb [options] SCHEDULE [-- PROGRAM ARG...]\n"
         "       heddle gdb [options] --execution N -- PROGRAM ARG...",
         "Replays a schedule under gdb, with real threads.  In gdb: heddle goto N, forward [N], back [N], next-switch,\n"
         "end, where, schedule, pending, held.  SCHEDULE as for replay.\n"},
        {"report", OPTIONS_REPORT, "heddle report TRACE [--text] [--html F] [--json F] [--sarif F]",
         "Turns a trace file into a report again.\n"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

const char *help_commands(void)
{
        return "check cc c++ replay gdb report";
}

void help_all(FILE *f)
{
        fputs("heddle runs a multithreaded C or C++ program under every inequivalent schedule, and shows one that\n"
              "fails, or says that there is none.\n\nusage: heddle COMMAND ...\n\n"
              "  check FILE.c... [-- ARG...]          compile sources with instrumentation and explore them\n"
              "  check PROGRAM [ARG...]               explore a program that is already built\n"
              "  cc ARG...                            compile C with instrumentation\n"
              "  c++ ARG...                           compile C++ with instrumentation\n"
              "  replay SCHEDULE [-- PROGRAM ARG...]  run one schedule again\n"
              "  gdb SCHEDULE [-- PROGRAM ARG...]     the same under gdb, forwards and backwards\n"
              "  report TRACE                         turn a trace file into a report\n\n"
              "'heddle COMMAND --help' tells more.  Exit status of check: 0 everything was explored and nothing\n"
              "failed, 1 a failure was found, 2 wrong usage, 3 heddle failed, 4 stopped at a limit.\n",
              f);
}

int help_command(FILE *f, const char *command)
{
        for (size_t i = 0; i < N_COMMANDS; i++) {
                if (strcmp(commands[i].name, command) != 0)
                        continue;
                fprintf(f, "usage: %s\n\n%s", commands[i].usage, commands[i].text);
                if (commands[i].options) {
                        fputc('\n', f);
                        options_help(f, commands[i].options, false);
                }
                return 0;
        }
        return -1;
}
