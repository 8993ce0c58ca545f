/*
 * `heddle reproduce`: explores the recorded program, with its arguments, folder and environment, along its recorded paths: first
 * under sequential consistency, then with store buffers, as the machine has them.
 */
#include "cli/record/reproduce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/apart.h"
#include "base/clock.h"
#include "base/deadline.h"
#include "cli/command.h"
#include "cli/explore.h"
#include "cli/help.h"
#include "cli/option/value.h"
#include "cli/output.h"
#include "cli/record/inputs.h"
#include "cli/record/nearest.h"
#include "cli/record/own.h"
#include "cli/record/record.h"
#include "cli/record/stack.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "record/constraints.h"
#include "record/solve.h"
#include "target/build_fingerprint.h"
#include "trace/schedule.h"

#define SECONDS        600.0 /* unless --time says otherwise */
#define SOLVER_SECONDS 10.0  /* unless --solver-timeout says otherwise */
#define STRAY_MOST     90u
#define NEAREST        10.0 /* seconds for failures along other paths, at most; a tenth of --time */

struct reproduce {
        const char *file, *program; /* program: NULL: that of the recording */
        const char *stray;          /* NULL: what is needed */
        struct list options;
        bool verify, help;
        double seconds, nearest; /* --time: of the search along the paths, and of that for the nearest failures */
        struct recording recording;
        struct wire_paths *paths;
        struct stacks stacks;
        struct command command;
};

/* The recording is the first word that names one; if none does, the first word, or the last one before "--".  What else is there
 * are options of check. */
static int parse(struct reproduce *r, char **argv)
{
        size_t n = 0;

        while (argv[n] && strcmp(argv[n], "--") != 0) {
                if (!r->file && argv[n][0] != '-' && recording_is(argv[n]))
                        r->file = argv[n];
                n++;
        }
        if (argv[n] && argv[n + 1])
                r->program = argv[n + 1];
        if (argv[n] && argv[n + 1] && argv[n + 2])
                return status_usage("the arguments of the program are in the recording; give the program alone");
        for (size_t i = 0; i < n; i++) {
                if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
                        r->help = true;
                else if (strcmp(argv[i], "--verify") == 0)
                        r->verify = true;
                else if (strcmp(argv[i], "--stray") == 0 && i + 1 < n)
                        r->stray = argv[++i];
                else if (strncmp(argv[i], "--stray=", strlen("--stray=")) == 0)
                        r->stray = argv[i] + strlen("--stray=");
                else if (argv[i] == r->file)
                        continue;
                else if (!r->file && (i == 0 || i + 1 == n) && argv[i][0] != '-')
                        r->file = argv[i];
                else
                        list_add(&r->options, argv[i]);
        }
        if (!r->file && !r->help)
                return status_usage("name the recording: heddle reproduce heddle.rec");
        return 0;
}

/* One more option of the line that replays what was found. */
static void add_option(struct command *c, const char *option)
{
        struct list tail = {0};

        for (size_t i = 0; i < c->tail.n; i++) {
                if (i == c->n_options)
                        list_add(&tail, option);
                list_add(&tail, c->tail.words[i]);
        }
        c->tail = tail;
        c->n_options++;
}

static int prepare(struct reproduce *r)
{
        struct config *config = &r->command.options.config;
        const char *program = r->program ? list_path(r->program) : r->recording.program;
        struct list argv = {0};
        struct error why = {""};
        uint64_t stray = 0;

        if (r->stray && value_number(&stray, r->stray, 0, STRAY_MOST, &why))
                return status_usage("--stray %s", why.text);
        if (!program || access(program, X_OK) < 0)
                return status_usage("%s: %s; name the program: heddle reproduce %s -- ./prog",
                                    r->program ? r->program : r->recording.program, strerror(errno), r->file);
        list_add_all(&argv, &r->options);
        list_add(&argv, program);
        for (size_t i = 1; r->recording.argv[i]; i++)
                list_add(&argv, r->recording.argv[i]);
        int err = command_parse(&r->command, OPTIONS_CHECK, argv.words);
        r->command.options.recording = list_path(r->file);
        if (!err)
                err = command_prepare(&r->command, OPTIONS_CHECK);
        if (err)
                return err;
        r->paths->stray = (uint32_t)stray;
        if (r->stray && stray)
                add_option(&r->command, list_format("--stray=%u", (unsigned)stray));
        config->paths = r->paths;
        config->loops = LOOPS_WAIT;
        config->leaks = LEAKS_OFF;
        config->jobs = 0;
        config->keep_going = false;
        if (config->seconds <= 0)
                config->seconds = SECONDS;
        r->nearest = config->seconds / 10 < NEAREST ? config->seconds / 10 : NEAREST;
        r->seconds = config->seconds - r->nearest;
        return 0;
}

/* How far the threads came, in the execution that failed or else in the best one. */
static void print_followed(const struct reproduce *r, const struct result *result)
{
        for (uint32_t i = 0; i < r->paths->n; i++) {
                const struct wire_path *p = &r->paths->all[i];
                uint64_t recorded = p->lost + p->bits, replayed = result->followed[i];

                printf("T%u: %llu branches recorded %s %llu replayed", i, (unsigned long long)recorded,
                       recorded == replayed ? "=" : "!=", (unsigned long long)replayed);
                printf(p->lost ? " (the first %llu of them are lost)\n" : "\n", (unsigned long long)p->lost);
        }
}

static bool all_followed(const struct reproduce *r, const struct result *result)
{
        for (uint32_t i = 0; i < r->paths->n; i++)
                if (result->followed[i] != r->paths->all[i].lost + r->paths->all[i].bits)
                        return false;
        return true;
}

static int not_found(const struct reproduce *r, const struct result *result, bool same)
{
        status_note("%s: not reproduced: %s", r->file,
                    result->stats.complete
                            ? "no schedule follows the recorded paths to this failure"
                            : "none of the schedules that were tried follows the recorded paths to this failure");
        print_followed(r, result);
        if (r->recording.failure == REC_HANG && all_followed(r, result))
                puts("All threads came to where they were, and can continue from there: the program was slow, and did "
                     "not hang.");
        if (!loop_interrupted && !r->stacks.refused)
                nearest_print(&r->command, &r->recording, r->nearest);
        if (same)
                return STATUS_INTERNAL;
        status_note("the program is another build than the one that was recorded (%06x, this is %06x)",
                    r->recording.fingerprint, identity_of(r->command.options.config.program));
        return STATUS_SAFE;
}

static void print_constraints(const struct constraints *c)
{
        static const char *const with[CONSTRAINT_KINDS] = {"", "; with the recorded times ",
                                                           "; also by chains of cores and threads "};
        uint64_t all = c->of[CONSTRAINTS_PATHS].rw;

        printf("Constraints on the order of %llu events: ", (unsigned long long)c->events);
        for (int i = 0; i < CONSTRAINT_KINDS; i++) {
                const struct constraint_count *n = &c->of[i];
                printf("%s%llu, of reads and writes %llu", with[i], (unsigned long long)n->order + n->sync + n->rw,
                       (unsigned long long)n->rw);
                if (i != CONSTRAINTS_PATHS)
                        printf(" (%.1f %% fewer)", all ? 100 - 100.0 * (double)n->rw / (double)all : 0);
        }
        putchar('\n');
}

/* The schedule once more, without its output: how far the threads are at each event. */
static int replay(struct reproduce *r, const struct result *found, struct result *again)
{
        struct schedule_text text = {0};
        struct replay what = {.text = &text, .kind = FINDING_KINDS};
        struct error why = {""};
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC), out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
        int e = schedule_decode(&text, found->findings[0].schedule, &why);

        fflush(NULL);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        if (e >= 0)
                e = explore_replay(&r->command.options.config, &what, again, &why);
        fflush(NULL);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        close(null);
        close(out);
        close(err);
        schedule_fini(&text);
        return e < 0 || !again->n_findings ? -1 : 0;
}

static void print_answer(const struct solved *s, double limit)
{
        if (s->many)
                printf("not asked, it has more than %u terms\n", SOLVE_MOST);
        else if (loop_interrupted)
                puts("interrupted");
        else if (s->answer == SMT_UNKNOWN && !s->constraints)
                printf("no answer within %.0f s\n", limit);
        else if (s->answer == SMT_UNKNOWN)
                printf("no answer within %.0f s to %llu constraints\n", limit, (unsigned long long)s->constraints);
        else
                printf("%s order in which all reads get what they got here (%llu constraints, %.1f s)\n",
                       s->answer == SMT_POSSIBLE ? "there is an" : "there is no", (unsigned long long)s->constraints,
                       s->seconds);
}

static double solver_limit(const struct reproduce *r)
{
        double given = r->command.options.config.solver_seconds;

        return given > 0 ? given : SOLVER_SECONDS;
}

/* An order that the recorded times do not allow: the values were others then. */
static void print_solved(const struct reproduce *r, const struct trace *t, const uint32_t *bits)
{
        static const char *const with[CONSTRAINT_KINDS] = {"by the paths", "with the recorded times",
                                                           "by chains of cores and threads"};
        const struct config *c = &r->command.options.config;
        double limit = solver_limit(r);
        struct solved s = {0};

        if (!smt_version() || c->memory != WIRE_MEMORY_SC) {
                printf("Solver: not asked, %s\n", smt_version() ? "there are store buffers" : "there is no Z3");
                return;
        }
        for (int i = 0; i < CONSTRAINT_KINDS && !loop_interrupted; i++) {
                if (record_solve(&s, &r->recording, t, bits, (enum constraint_kind)i, limit))
                        return;
                printf("Z3 %s, %s: ", smt_version(), with[i]);
                print_answer(&s, limit);
        }
        if (s.answer == SMT_IMPOSSIBLE)
                puts("The recorded times exclude these values: this failure has the recorded paths, and other values.");
}

struct counting {
        const struct recording *recording;
        const struct trace *trace;
        const uint32_t *bits;
};

struct counted {
        struct constraints constraints;
        int err;
};

static void count(void *arg, void *result)
{
        const struct counting *c = arg;
        struct counted *to = result;

        to->err = constraints_count(&to->constraints, c->recording, c->trace, c->bits);
}

static void count_constraints(struct reproduce *r, const struct result *found)
{
        struct own own = {0};
        struct result again = {0};
        struct counting what = {.recording = &r->recording};
        struct counted counted;

        if (r->paths->stray) {
                puts("Constraints: not counted, the paths are not quite the recorded ones");
                return;
        }
        if (own_begin(&own, &r->command))
                return;
        if (replay(r, found, &again) == 0) {
                what.trace = again.findings[0].trace;
                what.bits = own_bits(&own, what.trace);
        }
        if (what.bits && apart_run(count, &what, &counted, sizeof counted, solver_limit(r)) > 0 && !counted.err)
                print_constraints(&counted.constraints);
        else
                puts("Constraints: not counted, the execution is too long");
        if (what.bits && !loop_interrupted)
                print_solved(r, what.trace, what.bits);
        own_close(&own);
        result_fini(&again);
}

static int report(struct reproduce *r, struct outputs *out, struct result *result)
{
        struct report_info info = command_report_info(&r->command);
        bool silent = output_takes_stdout(out) || r->command.options.config.quiet;
        int status;

        info.strategy = "paths";
        if (!silent)
                printf("Recorded: %s\n", record_describe(&r->recording));
        status = output_write(out, &r->command, &info, result, true);
        if (r->paths->stray && !silent)
                printf("Along nearly the recorded paths (--stray %u): some branches go another way, since they depend "
                       "on "
                       "where blocks of memory are, or on what is not recorded.\n",
                       r->paths->stray);
        if (!silent)
                stacks_print(&r->stacks, &result->findings[0], r->verify);
        if (r->verify && !silent) {
                print_followed(r, result);
                count_constraints(r, result);
        }
        return status ? status : STATUS_FAILURE;
}

/* 1: found, 0: not, <0: an exit status, negated. */
static int search_with(struct reproduce *r, uint32_t memory, double seconds, struct result *result, struct error *why)
{
        struct config *config = &r->command.options.config;

        config->memory = memory;
        config->seconds = seconds;
        int err = explore_program(config, result, why, NULL, NULL);
        return err ? -(err == ERROR_USAGE ? STATUS_USAGE : STATUS_INTERNAL) : result->n_findings > 0;
}

/* What was found takes the place of what was not. */
static int replace(struct result *result, struct result *by, int found)
{
        if (found > 0) {
                result_fini(result);
                *result = *by;
        } else {
                result_fini(by);
        }
        return found;
}

/* The store buffers of the machine: what they do not model was searched without them. */
static int search_buffered(struct reproduce *r, double end, struct result *result)
{
        struct result buffered = {0};
        struct error why = {""};
        int found = replace(result, &buffered, search_with(r, WIRE_MEMORY_TSO, end - clock_now(), &buffered, &why));

        if (found < 0)
                status_note("not tried with --memory tso: %s", why.text);
        return found > 0;
}

/* No schedule follows the paths: some of their branches may depend on where memory is. */
static int search_near(struct reproduce *r, uint32_t memory, double end, struct result *result)
{
        static const uint32_t strays[] = {6, 25};
        static const double most[] = {5, 60};
        uint32_t n = sizeof strays / sizeof *strays;
        int found = 0;

        for (uint32_t i = 0; i < n && !found && !loop_interrupted; i++) {
                struct result near = {0};
                struct error why = {""};
                double seconds = (end - clock_now()) / (n - i);

                r->paths->stray = strays[i];
                found = search_with(r, memory, seconds < most[i] ? seconds : most[i], &near, &why);
                found = replace(result, &near, found) > 0;
        }
        if (found)
                add_option(&r->command, list_format("--stray=%u", r->paths->stray));
        return found;
}

/* There were failures of the recorded kind elsewhere, and no other ones: they count. */
static int search_elsewhere(struct reproduce *r, uint32_t memory, struct result *result)
{
        struct result elsewhere = {0};
        struct error why = {""};

        r->command.options.config.refuses = NULL;
        r->paths->stray = r->stray ? r->paths->stray : 0;
        return replace(result, &elsewhere, search_with(r, memory, r->nearest, &elsewhere, &why)) > 0;
}

/* First all branches are as recorded, without store buffers and then with them. */
static int search(struct reproduce *r, bool same, struct result *result)
{
        const struct options *options = &r->command.options;
        bool given = options_given(options, "memory");
        bool near = same && !r->stray && r->recording.failure != REC_DUMP;
        uint32_t memory = given ? options->config.memory : WIRE_MEMORY_SC;
        double seconds = near ? r->seconds * 2 / 3 : r->seconds, begun = clock_now();
        struct error why = {""};
        int found = search_with(r, memory, given ? seconds : seconds / 2, result, &why);

        if (found < 0)
                return -(found == -STATUS_USAGE ? status_usage("%s", why.text) : status_internal("%s", why.text));
        if (!found && !given && !loop_interrupted)
                found = search_buffered(r, begun + seconds, result);
        if (!found && near && !loop_interrupted)
                found = search_near(r, memory, begun + r->seconds, result);
        if (!found && r->stacks.refused && !loop_interrupted)
                found = search_elsewhere(r, memory, result);
        return found;
}

static int run(struct reproduce *r)
{
        struct result result = {0};
        struct outputs out;
        int found, status = output_open(&out, &r->command.options.config);
        bool same = identity_of(r->command.options.config.program) == r->recording.fingerprint;

        if (status)
                return status;
        if (same) {
                stacks_init(&r->stacks, &r->recording);
                r->command.options.config.refuses = stacks_refuse;
                r->command.options.config.refuses_arg = &r->stacks;
        }
        status = inputs_enter(&r->recording, true);
        if (status)
                return status;
        found = search(r, same, &result);
        if (found > 0) {
                status = report(r, &out, &result);
        } else {
                output_drop(&out);
                status = found < 0 ? -found : not_found(r, &result, same);
        }
        result_fini(&result);
        stacks_fini(&r->stacks);
        return status;
}

int reproduce_main(char **argv)
{
        struct reproduce r = {0};
        int err = parse(&r, argv);

        if (err)
                return err;
        if (r.help)
                return help_command(stdout, "reproduce", false);
        err = inputs_load(r.file, &r.recording, &r.paths);
        temp_watch_signals();
        if (!err)
                err = prepare(&r);
        if (!err)
                err = run(&r);
        free(r.paths);
        recording_fini(&r.recording);
        return err;
}
