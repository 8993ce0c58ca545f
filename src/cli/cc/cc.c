/*
 * The machine's compiler with -fsanitize=thread, linked against our runtime instead of libtsan: one command, the
 * user's, with words added.
 *
 * The flag reaches the compiler proper only, so that the driver links no libtsan: through -Xclang, or through a specs
 * file for gcc (heddle.specs).  clang would drop the read of `x++` and miss wide vectors, hence its other flags.  What is
 * only preprocessed gets the same flags, because macros depend on them, and caches on what the preprocessor says.
 * Without our instrumenter both start our assembler (cli/cc/assembler.c), so that inline assembly is known for what it is.
 * Everything of ours comes before the words of the user, which may overrule it, and the runtime behind them.
 */
#include "cli/cc/cc.h"

#include <cpuid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/cc/cc_line.h"
#include "cli/install_paths.h"
#include "cli/cc/response_file.h"
#include "cli/status.h"
#include "cli/temp.h"

/* The first two mark the functions that are to be instrumented. */
static const char *const clang_flags[] = {
        "-Xclang", "-fsanitize=thread", "-fno-vectorize", "-fno-slp-vectorize", "-fno-omit-frame-pointer", NULL};
/* clang's own pass runs in any case: behind ours it has nothing to do. */
static const char *const plugin_flags[] = {"-mllvm", "-tsan-instrument-func-entry-exit=0", "-mllvm",
                                           "-tsan-instrument-atomics=0", NULL};
static const char *const tsan_flags[] = {"-mllvm", "-tsan-instrument-read-before-write", NULL};
/* Where a source has functions with a meaning by their names (instrument/named.c): they stay functions, and are called. */
static const char *const names[] = {"reach_error", "assume_abort_if_not", "__VERIFIER_"};
static const char *const named_flags[] = {"-fno-inline", NULL};
static const char *const named_gcc_flags[] = {"-fno-ipa-pure-const", "-fno-ipa-modref", "-fno-ipa-icf", NULL};

struct cc {
        char *compiler; /* what is started */
        bool clang;
        char *plugin; /* the instrumenter for this clang, or NULL */
        bool record;  /* --record: bodies that run natively record their paths */
        bool keep_ir; /* in the objects, for `heddle static` */
        struct place place;
        struct ccline line;
};

/* The program that is started by this name, or NULL. */
static const char *in_path(const char *name)
{
        const char *path = place_search_path();

        if (strchr(name, '/'))
                return place_is_program(name) ? name : NULL;
        while (path && *path) {
                size_t n = strcspn(path, ":");
                const char *program = list_format("%.*s/%s", (int)n, path, name);

                if (place_is_program(program))
                        return program;
                path += n + (path[n] == ':');
        }
        return NULL;
}

/* Compilers look for the linker in PATH, and have no other where it is not set. */
static void become(const struct list *l)
{
        setenv("PATH", place_search_path(), 0);
        execvp(l->words[0], l->words);
}

static const char *base_name(const char *path)
{
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* The C++ driver that belongs to a C driver: "clang-15" -> "clang++-15", "x86_64-linux-gnu-gcc" -> "...-g++". */
static char *driver(const char *name, bool cxx)
{
        const char *base = base_name(name), *clang = strstr(base, "clang"), *gcc = strstr(base, "gcc");

        if (!cxx || strstr(base, "++") || (!clang && !gcc))
                return list_format("%s", name);
        if (clang)
                return list_format("%.*sclang++%s", (int)(clang - name), name, clang + 5);
        return list_format("%.*sg++%s", (int)(gcc - name), name, gcc + 3);
}

static int choose_compiler(struct cc *cc, const char *wanted, bool cxx)
{
        static const char *const known[] = {"clang", "gcc"};

        if (!wanted || !*wanted)
                wanted = getenv("HEDDLE_COMPILER");
        if (wanted && *wanted) {
                const char *base = base_name(wanted);
                cc->clang = strstr(base, "clang") != NULL;
                if (!cc->clang && !strstr(base, "gcc") && !strstr(base, "g++"))
                        return status_usage("unknown compiler '%s'; use gcc or clang", wanted);
                cc->compiler = driver(wanted, cxx);
                if (!in_path(cc->compiler))
                        return status_usage(
                                "the compiler %s is not installed; install it, or use another one (--compiler "
                                "gcc or clang)",
                                cc->compiler);
                return 0;
        }
        for (size_t i = 0; i < 2; i++) {
                cc->clang = i == 0;
                cc->compiler = driver(known[i], cxx);
                if (in_path(cc->compiler))
                        return 0;
        }
        return status_usage("neither clang nor gcc is installed; install one of them");
}

/* The major version of this clang, or 0.  Where its folder has LLVM's name, that has it: to ask takes as long as to compile a
 * small file. */
static unsigned version(const char *compiler)
{
        const char *program = in_path(compiler), *real = program ? list_path(program) : NULL;
        const char *folder = real ? strstr(real, "/lib/llvm-") : NULL;
        unsigned major = 0;
        int end = 0;
        FILE *f;

        if (folder && sscanf(folder, "/lib/llvm-%u/bin/clang%n", &major, &end) == 1 && end && !folder[end])
                return major;
        f = popen(list_format("'%s' -dumpversion 2>/dev/null", compiler), "re");
        if (!f)
                return 0;
        if (fscanf(f, "%u", &major) != 1)
                major = 0;
        pclose(f);
        return major;
}

char *cc_instrumenter(const char *compiler, const struct place *place, bool record)
{
        return list_path(list_format("%s/instrument/llvm-%u/" HEDDLE_INSTRUMENT_SUM "/heddle%s.so", place->lib,
                                     version(compiler), record ? "-record" : ""));
}

static void add_flags(struct list *l, const char *const *flags)
{
        for (; *flags; flags++)
                list_add(l, *flags);
}

static bool has_names(const char *source)
{
        FILE *f = ccline_source(source) ? fopen(source, "re") : NULL;
        char *line = NULL;
        size_t room = 0;
        bool found = false;

        while (f && !found && getline(&line, &room, f) > 0)
                for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                        found |= strstr(line, names[i]) != NULL;
        free(line);
        if (f)
                fclose(f);
        return found;
}

static void add_named(struct list *l, const struct cc *cc)
{
        bool found = false;

        for (size_t i = 0; i < cc->line.words.n && !found; i++)
                found = has_names(cc->line.words.words[i]);
        if (found)
                add_flags(l, named_flags);
        if (found && !cc->clang)
                add_flags(l, named_gcc_flags);
}

/* Has this machine transactions?  Of all values of -march, only `native` may include them. */
static bool native_transactions(void)
{
        unsigned a, b = 0, c, d;

        return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_RTM);
}

/* Compilers refuse the intrinsics of transactions without it.  They become calls, or are replaced when the program starts, so no
 * instruction of it is ever run; the macro is left to what the user asks for. */
static void add_transactions(struct list *l, const struct cc *cc)
{
        bool native = false;

        for (size_t i = 0; i < cc->line.words.n; i++) {
                const char *word = cc->line.words.words[i];

                if (strcmp(word, "-mrtm") == 0 || strcmp(word, "-mno-rtm") == 0)
                        return;
                if (strncmp(word, "-march=", 7) == 0)
                        native = strcmp(word, "-march=native") == 0;
        }
        list_add(l, "-mrtm");
        if (native && native_transactions())
                return;
        if (cc->clang)
                list_add(l, "-Xclang"); /* else it is reported as unused for preprocessed sources */
        list_add(l, "-U__RTM__");
}

/* Options of a plugin are read where it is loaded as one of the front end, too. */
static void add_keep_ir(struct list *l, const struct cc *cc)
{
        list_add(l, "-Xclang");
        list_add(l, "-load");
        list_add(l, "-Xclang");
        list_add(l, cc->plugin);
        list_add(l, "-mllvm");
        list_add(l, "-heddle-keep-ir");
}

static void add_instrumentation(struct list *l, const struct cc *cc)
{
        if (cc->clang)
                add_flags(l, clang_flags);
        if (cc->plugin) {
                list_addf(l, "-fpass-plugin=%s", cc->plugin);
                if (cc->keep_ir)
                        add_keep_ir(l, cc);
        }
        if (cc->plugin || !cc->clang)
                add_transactions(l, cc);
        if (cc->clang)
                add_flags(l, cc->plugin ? plugin_flags : tsan_flags);
        else
                list_addf(l, "-specs=%s/heddle.specs", cc->place.lib);
        if (!cc->plugin)
                add_named(l, cc);
        /* The instrumenter marks inline assembly itself.  What clang prints in Intel's syntax only its own assembler understands. */
        if (cc->plugin || !in_path("as") || (cc->clang && cc->line.intel))
                return;
        if (cc->clang)
                list_add(l, "-no-integrated-as");
        list_addf(l, "-B%s/assembler/", cc->place.lib);
}

/* The watched functions of C++ containers, in front of the library's. */
static void add_containers(struct list *l, const struct cc *cc)
{
        if (!cc->plugin || !cc->line.links)
                return;
        list_add(l, "-Xlinker"); /* after -x c a plain word would be a source */
        list_addf(l, "%s/cxx/libheddle-cxx.a", cc->place.lib);
}

/* The idle one: `check` loads the whole runtime in its place.  Programs that record are known by the symbol, branches or not. */
static void add_runtime(struct list *l, const struct cc *cc)
{
        static const char *const known_by[] = {"-Xlinker", "-u", "-Xlinker", "__heddle_branch"};
        const char *folder = cc->record ? "record" : "plain";

        add_containers(l, cc);
        list_addf(l, "-L%s/%s", cc->place.lib, folder);
        list_add(l, "-lheddle-rt");
        list_add(l, "-Xlinker"); /* not -Wl: the path may have a comma */
        list_add(l, "-rpath");
        list_add(l, "-Xlinker");
        list_addf(l, "%s/%s", cc->place.lib, folder);
        list_add(l, "-pthread");
        for (size_t i = 0; cc->record && i < sizeof known_by / sizeof *known_by; i++)
                list_add(l, known_by[i]);
}

static void command_line(struct list *l, const struct cc *cc)
{
        list_add(l, cc->compiler);
        if (cc->line.compiles && !cc->line.plain)
                add_instrumentation(l, cc);
        if (cc->line.preprocesses) {
                list_add(l, "-D__HEDDLE__=1");
                list_add(l, "-idirafter");
                list_add(l, cc->place.include);
                if (cc->plugin && !cc->line.plain)
                        list_addf(l, "-isystem%s/cxx", cc->place.lib);
        }
        for (size_t i = 0; i < cc->line.words.n; i++) {
                if (strcmp(cc->line.words.words[i], "-lstdc++") == 0)
                        add_containers(l, cc);
                list_add(l, cc->line.words.words[i]);
        }
        if (cc->line.links)
                add_runtime(l, cc);
}

static int run(const struct list *l)
{
        int status;

        fflush(NULL);
        pid_t pid = fork();
        if (pid < 0)
                return status_internal("cannot start %s: %s", l->words[0], strerror(errno));
        if (pid == 0) {
                become(l);
                _exit(status_usage("cannot start %s: %s", l->words[0], strerror(errno)));
        }
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return status_internal("cannot wait for %s: %s", l->words[0], strerror(errno));
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Words that came out of a response file may be too many for the system. */
static int run_by_file(const struct list *l)
{
        struct list by_file = {0};

        temp_watch_signals();
        char *path = temp_file("words");
        if (!path)
                return STATUS_USAGE;
        if (response_write(l, path) < 0)
                return status_usage("cannot write %s: %s; set TMPDIR to a folder with room", path, strerror(errno));
        list_add(&by_file, l->words[0]);
        list_addf(&by_file, "@%s", path);
        return run(&by_file);
}

static int prepare(struct cc *cc, const char *compiler, bool cxx, char **argv)
{
        int err = choose_compiler(cc, compiler, cxx);

        if (err)
                return err;
        if (place_find(&cc->place) < 0)
                return STATUS_INTERNAL;
        ccline_parse(&cc->line, argv);
        if (cc->clang && (cc->line.links || (cc->line.compiles && !cc->line.plain)))
                cc->plugin = cc_instrumenter(cc->compiler, &cc->place, cc->record);
        if (cc->record && cc->line.compiles && !cc->line.plain && !cc->plugin)
                return status_usage(
                        "--record needs clang and the instrumenter for its version; heddle doctor says how to "
                        "install them");
        if (cc->keep_ir && cc->line.compiles && !cc->line.plain && !cc->plugin)
                return status_usage(
                        "--keep-ir needs clang and the instrumenter for its version; heddle doctor says how to "
                        "install them");
        return cc->line.refused ? status_usage("%s", cc->line.refused) : 0;
}

/* Options of ours come first.  0, or the exit status. */
static int own_options(struct cc *cc, const char **compiler, char ***argv)
{
        for (;; ++*argv) {
                const char *word = **argv;

                if (word && strcmp(word, "--record") == 0) {
                        cc->record = true;
                } else if (word && strcmp(word, "--keep-ir") == 0) {
                        cc->keep_ir = true;
                } else if (word && strncmp(word, "--compiler=", 11) == 0) {
                        *compiler = word + 11;
                } else if (word && strcmp(word, "--compiler") == 0) {
                        *compiler = *++*argv;
                        if (!*compiler)
                                return status_usage("--compiler needs a value: --compiler gcc or --compiler clang");
                } else {
                        return 0;
                }
        }
}

int cc_main(bool cxx, char **argv)
{
        struct cc cc = {0};
        const char *compiler = NULL;
        struct list words = {0}, l = {0};

        int err = own_options(&cc, &compiler, &argv);
        if (err)
                return err;
        response_expand(&words, argv);
        err = prepare(&cc, compiler, cxx, words.n ? words.words : argv);
        if (err)
                return err;
        command_line(&l, &cc);
        if (response_needed(&l))
                return run_by_file(&l);
        become(&l);
        return status_usage("cannot start %s: %s", l.words[0], strerror(errno));
}

/* Where the source is must not change the program: __FILE__ is the path below the source's own folder. */
static void add_prefix_map(struct list *l, const char *source)
{
        const char *slash = strrchr(source, '/');

        if (slash)
                list_addf(l, "-fmacro-prefix-map=%.*s=", (int)(slash + 1 - source), source);
}

int cc_program(const char *compiler, const struct list *flags, const struct list *sources, const struct list *libraries,
               bool keep_ir, const char *program)
{
        struct cc cc = {.keep_ir = keep_ir};
        struct list argv = {0}, l = {0};
        bool cxx = false, c = false, level = false, standard = false;

        for (size_t i = 0; i < flags->n; i++) {
                level = level || strncmp(flags->words[i], "-O", 2) == 0;
                standard = standard || strncmp(flags->words[i], "-std=", 5) == 0;
        }
        if (!level)
                list_add(&argv, "-O0");
        list_add(&argv, "-g");
        /* Libraries are wanted behind what needs them. */
        for (int behind = 0; behind < 2; behind++) {
                for (size_t i = 0; i < flags->n; i++)
                        if ((strncmp(flags->words[i], "-l", 2) == 0) == behind)
                                list_add(&argv, flags->words[i]);
                for (size_t i = 0; !behind && i < sources->n; i++) {
                        add_prefix_map(&argv, sources->words[i]);
                        list_add(&argv, sources->words[i]);
                        *(ccline_source(sources->words[i]) == 2 ? &cxx : &c) = true;
                }
        }
        list_add_all(&argv, libraries);
        /* The C driver goes by the ending of each file; the C++ driver would take .c for C++. */
        if (cxx) {
                list_add(&argv, "-lstdc++");
                list_add(&argv, "-lm");
        }
        list_add(&argv, "-o");
        list_add(&argv, program);
        int err = prepare(&cc, compiler, false, argv.words);
        if (err)
                return err;
        if (cc.clang && !cc.plugin)
                fprintf(stderr,
                        "heddle: no instrumenter for this version of %s: its ThreadSanitizer pass is used, which "
                        "announces fewer accesses (heddle doctor)\n",
                        cc.compiler);
        log_note("sources are compiled by %s (%s)", cc.compiler,
                 compiler                    ? "--compiler"
                 : getenv("HEDDLE_COMPILER") ? "HEDDLE_COMPILER"
                                             : "clang if it is installed, else gcc");
        command_line(&l, &cc);
        if (cc.clang && cxx && !c && !standard)
                list_add(&l, "-std=gnu++17"); /* what g++ takes; before version 16 clang takes an older one */
        return run(&l);
}
