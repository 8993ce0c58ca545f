/*
 * The help texts.  The options in them come from the table.
 */
#include "cli/help.h"

#include <string.h>

#include "cli/option/option_list.h"
#include "cli/option/options.h"

static const struct {
        const char *name;
        int options; /* enum options_command, 0: none */
        const char *usage, *text;
} commands[] = {
        {"check", OPTIONS_CHECK,
         "heddle check [options] FILE.c... [-- ARG...]\n"
         "       heddle check [options] PROGRAM [ARG...]",
         "Runs a multithreaded program under every inequivalent schedule.  Sources are\n"
         "compiled with instrumentation first; -D -I -U -O -l -L -W -std= -f -m -g and\n"
         "-pthread go to the compiler (default: -O0 -g).  Options may also be in a file\n"
         ".heddle next to the program; the command line takes precedence.\n"},
        {"cc", 0, "heddle cc [--record] [--keep-ir] [--compiler gcc|clang] ARG...",
         "The machine's C compiler plus instrumentation: same flags, same exit status\n"
         "(CC=\"heddle cc\").  Uses clang if it is installed; --compiler or\n"
         "HEDDLE_COMPILER overrides that.  --record (clang): the program can be recorded;\n"
         "--keep-ir (clang): for heddle static.\n"},
        {"c++", 0, "heddle c++ [--record] [--keep-ir] [--compiler gcc|clang] ARG...",
         "The machine's C++ compiler plus instrumentation: same flags, same exit status\n"
         "(CXX=\"heddle c++\").  Uses clang if it is installed; --compiler or\n"
         "HEDDLE_COMPILER overrides that.  --record (clang): the program can be recorded;\n"
         "--keep-ir (clang): for heddle static.\n"},
        {"build", 0, "heddle build [--compiler=gcc|clang] COMMAND ARG...",
         "Runs a build (make, cmake --build ., ./configure) with CC, CXX, LD and PATH set:\n"
         "heddle's compilers are used wherever it asks for cc, gcc, clang, c++, g++ or\n"
         "clang++.  Then names the objects and programs that are not instrumented.\n"
         "Exit status: that of the command.\n"},
        {"replay", OPTIONS_REPLAY,
         "heddle replay [options] SCHEDULE [-- PROGRAM ARG...]\n"
         "       heddle replay [options] SCHEDULE FILE.c... [-- ARG...]",
         "Runs one schedule again, with the program's output.  SCHEDULE is the text that a\n"
         "report prints (h1:...), a trace file, or a list of threads such as 0,1,1,2.\n"},
        {"explain", OPTIONS_EXPLAIN,
         "heddle explain [options] SCHEDULE [-- PROGRAM ARG...]\n"
         "       heddle explain [options] SCHEDULE FILE.c... [-- ARG...]",
         "Finds the simplest execution with the same failure (fewest preemptions, then\n"
         "fewest switches) and the step after which the failure is unavoidable.\n"
         "SCHEDULE: as for replay.\n"},
        {"gdb", OPTIONS_GDB,
         "heddle gdb [options] SCHEDULE [-- PROGRAM ARG...]\n"
         "       heddle gdb [options] --execution N -- PROGRAM ARG...",
         "Replays a schedule under gdb, with real threads.  In gdb: heddle goto N, forward\n"
         "[N], back [N], enter, next-switch, end, where, schedule, pending, held.\n"
         "SCHEDULE: as for replay.\n"},
        {"report", OPTIONS_REPORT, "heddle report TRACE [--text] [--html F] [--json F] [--sarif F]",
         "Turns a trace file into a report again; shows a recording as a time line.\n"},
        {"record", 0, "heddle record [options] PROGRAM [ARG...]",
         "Runs a program natively, on all cores, and records which way the branches of each\n"
         "thread go.  When it fails (assertion, abort, crash, exit status other than 0, a\n"
         "call of heddle_record_dump(), SIGUSR2, a hang), writes a recording.  The program must be\n"
         "built by heddle cc --record or heddle c++ --record.\n\n"
         "  -o FILE             the recording (heddle.rec)\n"
         "  --until-failure N   run the program up to N times, until it fails (1)\n"
         "  --timeout T         a run that takes longer hangs: a failure (30s, 5m; no limit)\n"
         "  --jitter            delay threads by chance, so that rare failures come sooner\n"
         "  --seed N            of these delays\n"
         "  --ring SIZE         memory for each thread, in KiB; what is older is lost (1024)\n\n"
         "Exit status: 1 if a failure was recorded, else that of the program.\n"},
        {"reproduce", 0, "heddle reproduce [options] RECORDING [-- PROGRAM]",
         "Searches for a schedule in which every thread follows its recorded path, branch for\n"
         "branch, and the program fails as it was recorded.  The schedule is replayed, simplified and\n"
         "reported like any failure.\n\n"
         "  --time T            stop after this time (10m)\n"
         "  --memory sc|tso     only this memory model (sc first, then tso)\n"
         "  --stray P           of 100 branches so many may go another way (0, then 6 and 25)\n"
         "  --verify            print the branches of each thread, recorded and replayed\n"
         "  --json F, --html F, --sarif F, --trace F, --quiet, --verbose: as for check\n\n"
         "Exit status: 1 reproduced; 0 not reproduced, and the program is another build; 2 the\n"
         "recording cannot be used; 3 not reproduced by the build that was recorded.\n"},
        {"merge", OPTIONS_REPORT, "heddle merge A.json B.json ... [--json F] [--html F] [--sarif F]",
         "Puts the shards of an exploration together (check --shard I/N --json F): the\n"
         "verdict, executions, outcomes, races and failures of the whole.  All shards are\n"
         "needed, each once.  Exit status: as check.\n"},
        {"worker", 0,
         "heddle worker URL -- PROGRAM ARG...\n"
         "       heddle worker URL -- FILE.c... [-- ARG...]",
         "Takes part in a search on many machines: URL is the directory of check --spool, or\n"
         "the address of check --cluster.  The options are those of the search; program,\n"
         "arguments and environment must be the same.  Ends when the search is over.\n"},
        {"cluster", 0, "heddle cluster URL [--html F]",
         "Shows a search on many machines: workers, rate, share explored, failures.  On a\n"
         "terminal it is refreshed until the search is over.\n"},
        {"static", 0, "heddle static [--json|--dot|--why FILE:LINE] FILE...|PROGRAM",
         "Prints what depends on what: reads, branches, addresses and writes, and which\n"
         "reads no branch, address, call or output depends on.  Objects and programs must\n"
         "be compiled by clang with heddle cc --keep-ir; sources are.\n"},
        {"doctor", 0, "heddle doctor [PROGRAM]",
         "Checks whether this machine has what heddle needs, and says how to install what\n"
         "is missing.  With a program: lists its modules, and what is watched of each.\n"
         "Exit status: 0 if heddle can run here, 2 if it cannot.\n"},
        {"completion", 0, "heddle completion bash|zsh",
         "Prints the completion script for a shell.  Put\n"
         "    eval \"$(heddle completion bash)\"\n"
         "into ~/.bashrc, or the same with zsh into ~/.zshrc, after compinit.\n"},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

const char *help_commands(void)
{
        return "check cc c++ build replay explain gdb report record reproduce merge worker cluster static doctor "
               "completion";
}

void help_all(FILE *f)
{
        fputs("heddle runs a multithreaded C or C++ program under every inequivalent schedule,\n"
              "and shows one that fails, or reports that none does.\n\nusage: heddle COMMAND ...\n\n"
              "  check FILE.c... [-- ARG...]          compile sources with instrumentation and explore them\n"
              "  check PROGRAM [ARG...]               explore a program that is already built\n"
              "  cc ARG...                            compile C with instrumentation\n"
              "  c++ ARG...                           compile C++ with instrumentation\n"
              "  build COMMAND ARG...                 run a build with these compilers\n"
              "  replay SCHEDULE [-- PROGRAM ARG...]  run one schedule again\n"
              "  explain SCHEDULE [-- PROGRAM ARG...] find the simplest schedule with the same failure\n"
              "  gdb SCHEDULE [-- PROGRAM ARG...]     replay under gdb, forwards and backwards\n"
              "  report TRACE                         turn a trace file into a report\n"
              "  record PROGRAM [ARG...]              run natively and record a failure\n"
              "  reproduce RECORDING                  find a schedule that fails as it was recorded\n"
              "  merge A.json B.json ...              the verdict of shards (check --shard) put together\n"
              "  worker URL -- PROGRAM ARG...         take part in a search on many machines\n"
              "  cluster URL                          watch one\n"
              "  static FILE.o...|PROGRAM             what depends on what\n"
              "  doctor                               check this machine for what heddle needs\n"
              "  completion bash|zsh                  completion for a shell\n\n"
              "'heddle COMMAND --help' lists the main options, 'heddle help COMMAND' and the man\n"
              "pages all of them.\n"
              "Exit status of check: 0 everything explored, no failure; 1 failure found; 2 usage\n"
              "error; 3 internal error of heddle; 4 no failure found, but not everything explored.\n",
              f);
}

int help_command(FILE *f, const char *command, bool all)
{
        for (size_t i = 0; i < N_COMMANDS; i++) {
                if (strcmp(commands[i].name, command) != 0)
                        continue;
                fprintf(f, "usage: %s\n\n%s", commands[i].usage, commands[i].text);
                if (!commands[i].options)
                        return 0;
                fputc('\n', f);
                if (all)
                        optlist_all(f, commands[i].options);
                else if (optlist_main(f, commands[i].options) > 0)
                        fprintf(f, "\nMore: heddle help %s, or man heddle-%s.\n", command, command);
                return 0;
        }
        return -1;
}
