/*
 * From words to a config.  Words are sorted first, without touching any file, so that a wrong option is named before
 * anything slow happens; then the .heddle file beside the program fills in what the command line did not say; then the
 * program is checked, or compiled into the private folder.
 */
#include "cli/command.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/executable.h"
#include "cli/cc/cc.h"
#include "cli/cc/cc_line.h"
#include "cli/many/many_options.h"
#include "cli/option/marks.h"
#include "cli/option/option_file.h"
#include "cli/install_paths.h"
#include "cli/static.h"
#include "cli/status.h"
#include "cli/temp.h"
#include "report/style.h"
#include "strategy/registry.h"
#include "strategy/states/filter.h"
#include "target/plugin.h"
#include "wire/wire.h"

/* How many words a flag for the compiler takes; 0: it is none. */
static int compiler_flag(const char *word)
{
        static const char *const joined[] = {"-std=", "-pthread", "-pedantic", "-isystem", "-include", "-D",
                                             "-I",    "-U",       "-O",        "-l",       "-L",       "-W",
                                             "-f",    "-m",       "-g",        "-w"};
        static const char *const apart[] = {"-D", "-I", "-U", "-l", "-L", "-isystem", "-include"};

        for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
                if (strcmp(word, apart[i]) == 0)
                        return 2;
        for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
                if (strncmp(word, joined[i], strlen(joined[i])) == 0)
                        return 1;
        return 0;
}

/* Takes one option or flag at argv[*i].  1: taken, 0: neither, -1: wrong, and `why` says how. */
static int take_option(struct command *c, enum options_command which, enum options_source source, char **argv, int *i,
                       struct error *why)
{
        int taken = options_take(&c->options, which, source, argv, i, why);
        const char *word = argv[*i];

        if (taken || word[0] != '-' || strcmp(word, "--") == 0)
                return taken;
        if (strcmp(word, "-h") == 0) {
                c->options.help = true;
                ++*i;
                return 1;
        }
        int words = compiler_flag(word);
        if (words == 0) {
                error_set(why, -1,
                          "unknown option '%.200s': it is neither one of heddle's nor a compiler flag; see --help",
                          word);
                return -1;
        }
        if (words == 2 && !argv[*i + 1]) {
                error_set(why, -1, "%s needs a value, such as %sX", word, word);
                return -1;
        }
        list_addf(&c->flags, "%s%s", word, words == 2 ? argv[*i + 1] : "");
        *i += words;
        return 1;
}

/* Thread numbers of a list written as several words. */
static bool is_number(const char *word)
{
        return *word && word[strspn(word, "0123456789, ")] == '\0';
}

/* The schedule of `replay`: the first word, or all the leading ones that are numbers. */
static bool take_schedule(struct command *c, const char *word)
{
        if (!c->schedule)
                c->schedule = list_format("%s", word);
        else if (c->sources.n == 0 && is_number(word) && is_number(c->schedule))
                c->schedule = list_format("%s %s", c->schedule, word);
        else
                return false;
        return true;
}

static void take_program(struct command *c, char **argv)
{
        c->program = argv[0];
        for (int i = 1; argv[0] && argv[i]; i++)
                list_add(&c->args, argv[i]);
}

/* After "--": a program and its arguments, or sources, and the arguments after them (a second "--" may be between). */
static void take_rest(struct command *c, char **argv)
{
        while (*argv && ccline_source(*argv) && access(*argv, X_OK) != 0)
                list_add(&c->sources, *argv++);
        if (c->sources.n == 0) {
                take_program(c, argv);
                return;
        }
        if (*argv && strcmp(*argv, "--") == 0)
                argv++;
        for (; *argv; argv++)
                list_add(&c->args, *argv);
}

int command_parse(struct command *c, enum options_command which, char **argv)
{
        struct error why = {""};

        memset(c, 0, sizeof *c);
        options_init(&c->options);
        for (int i = 0; argv[i];) {
                int taken = take_option(c, which, OPTIONS_LINE, argv, &i, &why);
                if (taken < 0)
                        return status_usage("%s", why.text);
                if (taken)
                        continue;
                if (strcmp(argv[i], "--") == 0) {
                        if (c->sources.n == 0)
                                take_rest(c, argv + i + 1);
                        else
                                for (i++; argv[i]; i++)
                                        list_add(&c->args, argv[i]);
                        break;
                }
                if ((which == OPTIONS_REPLAY || which == OPTIONS_EXPLAIN ||
                     (which == OPTIONS_GDB && !c->options.execution)) &&
                    take_schedule(c, argv[i])) {
                        i++;
                } else if (which == OPTIONS_REPORT) {
                        list_add(&c->args, argv[i++]);
                } else if (ccline_source(argv[i]) || (c->sources.n > 0 && ccline_beside(argv[i]))) {
                        list_add(&c->sources, argv[i++]);
                } else if (c->sources.n > 0) {
                        return status_usage("'%s' is not a source file; write the program's arguments after --",
                                            argv[i]);
                } else {
                        options_note_late(which, argv + i);
                        take_program(c, argv + i);
                        break;
                }
        }
        return 0;
}

static int recall_options(struct command *c, enum options_command which, char **options)
{
        bool named = c->program || c->sources.n > 0;
        struct error why = {""};

        for (int i = 0; options && options[i];) {
                if (named && strncmp(options[i], "--ops=", 6) == 0) {
                        i++; /* a program on the command line replaces the one that a file names */
                        continue;
                }
                int taken = take_option(c, which, OPTIONS_TRACE, options, &i, &why);
                if (taken <= 0)
                        return status_usage("the trace: %s", taken ? why.text : "expected an option");
        }
        return 0;
}

int command_recall(struct command *c, enum options_command which, char **options, char **words)
{
        struct list line_flags = c->flags;
        struct error why = {""};
        int taken = recall_options(c, which, options), i = 0;

        if (taken || c->program || c->sources.n > 0 || !words)
                return taken;
        c->flags = (struct list){0};
        while (words[i] && strcmp(words[i], "--") != 0) {
                taken = take_option(c, which, OPTIONS_TRACE, words, &i, &why);
                if (taken < 0)
                        return status_usage("the trace: %s", why.text);
                if (!taken)
                        list_add(&c->sources, words[i++]);
        }
        for (i += words[i] != NULL; words[i]; i++)
                list_add(&c->args, words[i]);
        list_add_all(&c->flags, &line_flags);
        return 0;
}

static int take_file(struct command *c, enum options_command which, const char *beside)
{
        char *path = list_format("%s/.heddle", dirname(list_format("%s", beside)));
        struct list words = {0}, line_flags = c->flags;
        struct error why = {""};

        if (optfile_read(&words, path) < 0)
                return status_usage("%s: %s", path, strerror(errno));
        c->flags = (struct list){0};
        for (int i = 0; words.n > 0 && words.words[i];) {
                int taken = take_option(c, which, OPTIONS_FILE, words.words, &i, &why);
                if (taken < 0)
                        return status_usage("%s: %s", path, why.text);
                if (!taken)
                        return status_usage("%s: '%s' is not an option; the file may contain only options", path,
                                            words.words[i]);
        }
        list_add_all(&c->flags, &line_flags);
        return 0;
}

static int compile(struct command *c)
{
        struct config *config = &c->options.config;

        for (size_t i = 0; i < c->sources.n; i++) {
                struct stat st;
                if (stat(c->sources.words[i], &st) < 0)
                        return status_usage("%s: %s", c->sources.words[i],
                                            errno == ENOENT ? "no such file; check its name" : strerror(errno));
                if (!S_ISREG(st.st_mode))
                        return status_usage("%s: is not a regular file; name a source", c->sources.words[i]);
        }
        char *stem = basename(list_format("%s", c->sources.words[0])), *dot = strrchr(stem, '.');
        if (dot && dot > stem)
                *dot = '\0';
        char *program = temp_file(stem);
        if (!program)
                return STATUS_USAGE;
        int status = cc_program(c->options.compiler, &c->flags, &c->sources, &c->options.ops,
                                config->dependences > STATIC_OFF, program);
        if (status != 0)
                return status == STATUS_INTERNAL ? status : STATUS_USAGE;
        config->program = program;
        return 0;
}

/* The plugins by their full names, which also are in the program that is linked with them. */
static int find_plugins(struct command *c)
{
        struct list *ops = &c->options.ops;

        if (ops->n == 0 && c->options.config.check_ops)
                return status_usage("--check-ops tests plugins; name one with --ops PLUGIN.so");
        /* The numbers of records (op/user.h) belong to one target. */
        if (ops->n > 0 && (c->options.config.save || c->options.config.resume || c->options.config.jobs > 1 ||
                           c->options.shard || c->options.spool || c->options.cluster))
                return status_usage("--save, --resume, --jobs and --shard do not support --ops; leave one of them out");
        for (size_t i = 0; i < ops->n; i++) {
                char *path = list_path(ops->words[i]);
                if (!path)
                        return status_usage("--ops %s: %s; name a plugin, built with cc -shared -fPIC", ops->words[i],
                                            errno == ENOENT ? "no such file" : strerror(errno));
                ops->words[i] = path;
        }
        c->options.config.ops = (const char **)ops->words;
        c->options.config.n_ops = (uint32_t)ops->n;
        struct error why;
        return plugin_load(&c->options.config, &why) ? status_usage("%s", why.text) : 0;
}

/* What follows a schedule in the line that replays it. */
static void make_tail(struct command *c)
{
        static const char *const repeated[] = {
                "fail-malloc",     "heap",   "heap-checks", "loop-time",   "races",     "fail-on",       "only",
                "ignore-failures", "memory", "timeouts",    "wakeup",      "nondet",    "spurious",      "signals",
                "helpers",         "txn",    "abort-codes", "txn-retries", "txn-lines", "txn-line-size", "stray"};
        char word[32];

        if (options_given(&c->options, "seed"))
                list_addf(&c->tail, "--seed=%llu", (unsigned long long)c->options.config.seed);
        for (size_t i = 0; i < c->options.invariants.n; i++)
                list_addf(&c->tail, "--invariant=%s", c->options.invariants.words[i]);
        for (size_t i = 0; i < c->options.finals.n; i++)
                list_addf(&c->tail, "--final=%s", c->options.finals.words[i]);
        if (c->options.invariants.n && options_given(&c->options, "preempt")) {
                uint32_t preempt = c->options.config.preempt; /* which accesses race is not known to a replay */
                list_addf(&c->tail, "--preempt=%s",
                          options_word("preempt", preempt == WIRE_PREEMPT_RACES ? WIRE_PREEMPT_ALL : preempt, word));
        }
        if (c->options.config.fair)
                list_addf(&c->tail, "--fair=%u", c->options.config.fair);
        for (size_t i = 0; i < c->options.ops.n; i++)
                list_addf(&c->tail, "--ops=%s", c->options.ops.words[i]);
        for (size_t i = 0; i < c->options.marks.n; i++)
                list_addf(&c->tail, "--%s", c->options.marks.words[i]);
        if (c->options.config.test_locks)
                list_add(&c->tail, "--test-locks");
        if (c->options.config.hand_off)
                list_add(&c->tail, "--hand-off");
        if (c->options.config.posix_fences)
                list_add(&c->tail, "--posix-fences");
        for (size_t i = 0; i < sizeof repeated / sizeof *repeated; i++)
                options_repeat(&c->options, repeated[i], &c->tail);
        if (c->options.recording)
                list_addf(&c->tail, "--recording=%s", c->options.recording);
        c->n_options = c->tail.n;
        if (c->program) {
                list_add(&c->tail, "--");
                list_add(&c->tail, c->program);
        } else {
                if (c->options.compiler)
                        list_addf(&c->tail, "--compiler=%s", c->options.compiler);
                list_add_all(&c->tail, &c->flags);
                list_add_all(&c->tail, &c->sources);
                if (c->args.n > 0)
                        list_add(&c->tail, "--");
        }
        list_add_all(&c->tail, &c->args);
}

/* A name without a slash is one in this folder: execve() does not search PATH, and neither do we. */
static int use_program(struct command *c)
{
        struct error why;

        if (c->flags.n > 0)
                return status_usage("%s is for the compiler, but %s is already built; leave it out", c->flags.words[0],
                                    c->program);
        if (binary_check(c->program, &why) < 0)
                return status_usage("%s", why.text);
        c->options.config.program = c->program;
        return 0;
}

/* What weak memory asks of the program and of the other options. */
static int check_memory(struct command *c)
{
        struct config *config = &c->options.config;

        if (config->memory == WIRE_MEMORY_SC)
                return 0;
        if (!config->instrumented)
                return status_usage(
                        "--memory: the stores of %s are not seen, since it was not built by heddle cc; build it "
                        "so, or leave --memory out",
                        config->name);
        config->by_gcc = binary_by_gcc(config->program);
        return 0;
}

/* A library under a name that LD_PRELOAD can hold, which takes blanks and colons for separators.  NULL after an error. */
static const char *preloadable(const char *library)
{
        if (!strpbrk(library, " \t\n:"))
                return library;
        char *link = temp_file(basename(list_format("%s", library)));
        if (link && symlink(library, link) < 0) {
                status_usage("%s: %s; set TMPDIR to a folder that can be written", link, strerror(errno));
                return NULL;
        }
        return link;
}

/* What is loaded before the program: the runtime, and an empty library in the place of ThreadSanitizer's. */
static int choose_runtime(struct config *config, const struct place *place)
{
        struct error why;
        const char *library = binary_sanitizer(config->program, &why);

        config->runtime = preloadable(place->runtime);
        if (!config->runtime)
                return STATUS_USAGE;
        if (why.text[0])
                return status_usage("%s", why.text);
        if (!library)
                return 0;
        char *stub = list_format("%s/tsan/%s", place->lib, library);
        if (access(stub, R_OK) < 0)
                return status_usage("%s: is linked to %s, which heddle does not know; link it with 'heddle cc'",
                                    config->program, library);
        config->runtime = list_format("%s:%s", config->runtime, preloadable(stub));
        return 0;
}

/* Where threads are preempted, and whether that goes with the strategy. */
static int choose_points(struct config *config)
{
        bool chooses = strategy_can(config->strategy, STRATEGY_POINTS);

        if (chooses && config->preempt_given && config->preempt != WIRE_PREEMPT_RACES)
                return status_usage("--strategy %s chooses the preemption points itself; leave --preempt out",
                                    strategy_row(config->strategy)->name);
        if (config->maximal && !chooses)
                return status_usage("--maximal is for --strategy deepen; leave it out");
        if (!config->preempt_given)
                config->preempt = !config->instrumented ? WIRE_PREEMPT_SYNC
                                  : chooses             ? WIRE_PREEMPT_RACES
                                                        : WIRE_PREEMPT_ALL;
        if (config->bounded && !strategy_can(config->strategy, STRATEGY_BOUNDS | STRATEGY_BOUNDED))
                return status_usage("--bound does not work with this strategy; use --strategy icb, optimal or dfs");
        if (config->preempt == WIRE_PREEMPT_RACES && config->races == RACES_OFF)
                return status_usage("--%s %s needs race detection; leave --races off out",
                                    chooses ? "strategy" : "preempt",
                                    chooses ? strategy_row(config->strategy)->name : "races");
        return 0;
}

int command_prepare(struct command *c, enum options_command which)
{
        struct config *config = &c->options.config;
        struct list argv = {0};
        struct place place;

        if (place_find(&place) < 0)
                return STATUS_INTERNAL;
        config->name = c->program ? c->program : c->sources.words[0];
        bool flags_given = c->flags.n > 0;
        int err = take_file(c, which, config->name);
        if (err)
                return err;
        log_enable(config->verbose);
        log_note("version %s, runtime %s", HEDDLE_VERSION, place.runtime);
        if (c->program && !flags_given)
                c->flags.n = 0; /* those of the file were for sources beside the program */
        make_tail(c);
        err = find_plugins(c);
        if (err)
                return err;
        err = c->program ? use_program(c) : compile(c);
        if (!err)
                err = choose_runtime(config, &place);
        if (err)
                return err;
        /* Nothing the program sees of itself may depend on the name of the private folder. */
        list_add(&argv, c->program ? c->program : basename(list_format("%s", config->program)));
        list_add_all(&argv, &c->args);
        config->argv = argv.words;
        config->observe = (const char **)c->options.observe.words;
        config->n_observe = (uint32_t)c->options.observe.n;
        for (size_t i = 0; i < c->options.filters.n; i++)
                if (!filter_find(c->options.filters.words[i]))
                        return status_usage("--filters: unknown filter '%s'; use %s", c->options.filters.words[i],
                                            filter_names());
        if (filter_clash((const char *const *)c->options.filters.words, (uint32_t)c->options.filters.n))
                return status_usage("--filters: %s", filter_clash((const char *const *)c->options.filters.words,
                                                                  (uint32_t)c->options.filters.n));
        config->filters = (const char *const *)c->options.filters.words;
        config->n_filters = (uint32_t)c->options.filters.n;
        config->invariants = (const char *const *)c->options.invariants.words;
        config->n_invariants = (uint32_t)c->options.invariants.n;
        config->finals = (const char *const *)c->options.finals.words;
        config->n_finals = (uint32_t)c->options.finals.n;
        err = static_choose(config, &place);
        if (err)
                return err;
        err = marks_take(config, &c->options.marks);
        if (err)
                return err;
        config->replay = which == OPTIONS_REPLAY || (which == OPTIONS_GDB && !c->options.execution);
        config->preempt_given = options_given(&c->options, "preempt");
        config->bounded = options_given(&c->options, "bound");
        if (options_given(&c->options, "only"))
                config->ignored |= ~c->options.only;
        config->instrumented = binary_instrumented(config->program);
        err = many_options(&c->options);
        if (!err)
                err = choose_points(config);
        if (err)
                return err;
        log_note(config->instrumented
                         ? "the program is instrumented: its memory accesses are checked"
                         : "the program is not instrumented (not built by heddle cc): thread calls are checked, "
                           "memory accesses are not");
        config->option_hash = options_hash(&c->options);
        return check_memory(c);
}

struct report_info command_report_info(const struct command *c)
{
        const struct config *config = &c->options.config;
        char word[32];
        bool color = config->color == WHEN_ALWAYS ||
                     (config->color == WHEN_AUTO && style_terminal(STDOUT_FILENO) && !getenv("NO_COLOR"));

        return (struct report_info){
                .version = HEDDLE_VERSION,
                .program = config->name,
                .strategy = list_format("%s", strategy_row(config->strategy)->name),
                .memory = list_format("%s", options_word("memory", config->memory, word)),
                .preempt = list_format("%s", options_word("preempt", config->preempt, word)),
                .replay_hint = list_quote(&c->tail),
                .keep_going = config->keep_going,
                .timeouts = config->timeouts == WIRE_TIMEOUTS_EXPLORE,
                .races = config->races != RACES_OFF,
                .verbose = config->verbose,
                .quiet = config->quiet,
                .color = color,
        };
}
