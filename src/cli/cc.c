/*
 * The machine's compiler with -fsanitize=thread, linked against our runtime instead of libtsan.
 *
 * clang can be told in one command: the flag is given to the compiler proper only, so its driver links no libtsan.
 * It would drop the read of `x++` and miss wide vectors, hence the other flags.  gcc knows no such trick: compiling
 * and linking are two commands there, and -fno-builtin keeps it from expanding memcpy and memset unseen.
 */
#include "cli/cc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/ccline.h"
#include "cli/place.h"
#include "cli/status.h"
#include "cli/temp.h"

static const char *const clang_flags[] = {"-Xclang",
                                          "-fsanitize=thread",
                                          "-mllvm",
                                          "-tsan-instrument-read-before-write",
                                          "-fno-vectorize",
                                          "-fno-slp-vectorize",
                                          "-fno-omit-frame-pointer",
                                          NULL};
static const char *const gcc_flags[] = {"-fsanitize=thread", "-fno-builtin", "-fno-omit-frame-pointer", NULL};

struct cc {
        char *compiler; /* what is started */
        bool clang;
        struct place place;
        struct ccline line;
};

static bool in_path(const char *name)
{
        const char *path = getenv("PATH");

        if (strchr(name, '/'))
                return access(name, X_OK) == 0;
        while (path && *path) {
                size_t n = strcspn(path, ":");
                char *file = list_format("%.*s/%s", (int)n, path, name);
                bool there = access(file, X_OK) == 0;
                free(file);
                if (there)
                        return true;
                path += n + (path[n] == ':');
        }
        return false;
}

/* The C++ driver that belongs to a C driver: "clang-15" -> "clang++-15". */
static char *driver(const char *name, bool cxx)
{
        const char *base = strrchr(name, '/');
        base = base ? base + 1 : name;
        int folder = (int)(base - name);

        if (!cxx || strstr(base, "++"))
                return list_format("%s", name);
        if (strncmp(base, "clang", 5) == 0)
                return list_format("%.*sclang++%s", folder, name, base + 5);
        return list_format("%.*sg++%s", folder, name, base + 3);
}

static int choose_compiler(struct cc *cc, const char *wanted, bool cxx)
{
        static const char *const known[] = {"clang", "gcc"};

        if (!wanted || !*wanted)
                wanted = getenv("HEDDLE_COMPILER");
        if (wanted && *wanted) {
                const char *base = strrchr(wanted, '/');
                base = base ? base + 1 : wanted;
                cc->clang = strncmp(base, "clang", 5) == 0;
                if (!cc->clang && strncmp(base, "gcc", 3) != 0)
                        return status_usage("the compiler '%s' is not known; use gcc or clang", wanted);
                cc->compiler = driver(wanted, cxx);
                if (!in_path(cc->compiler))
                        return status_usage("there is no compiler %s here; install it, or use another one (--compiler "
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
        return status_usage("there is neither clang nor gcc here; install one of them");
}

static void add_all(struct list *l, const char *const *words)
{
        for (; *words; words++)
                list_add(l, *words);
}

static void add_compile(struct list *l, const struct cc *cc)
{
        add_all(l, cc->clang ? clang_flags : gcc_flags);
        list_add(l, "-D__HEDDLE__=1");
}

static void add_link(struct list *l, const struct cc *cc)
{
        list_addf(l, "-L%s", cc->place.lib);
        list_add(l, "-lheddle-rt");
        list_addf(l, "-Wl,-rpath,%s", cc->place.lib);
        list_add(l, "-Wl,-z,now");
        list_add(l, "-pthread");
}

/* Everything in one command. */
static void whole(struct list *l, const struct cc *cc)
{
        list_add(l, cc->compiler);
        if (cc->clang && cc->line.n > 0)
                list_add(l, "-Qunused-arguments");
        if (cc->line.compiles)
                add_compile(l, cc);
        for (size_t i = 0; i < cc->line.n; i++)
                list_add(l, cc->line.words[i].text);
        if (cc->line.n_sources > 0)
                list_addf(l, "-I%s", cc->place.include);
        if (cc->line.links)
                add_link(l, cc);
}

static int run(const struct list *l)
{
        int status;

        fflush(NULL);
        pid_t pid = fork();
        if (pid < 0)
                return status_internal("cannot start %s: %s", l->words[0], strerror(errno));
        if (pid == 0) {
                execvp(l->words[0], l->words);
                _exit(status_usage("cannot start %s: %s", l->words[0], strerror(errno)));
        }
        while (waitpid(pid, &status, 0) < 0)
                if (errno != EINTR)
                        return status_internal("lost %s: %s", l->words[0], strerror(errno));
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* One source of a command that also links, compiled on its own to `object`. */
static int compile_one(const struct cc *cc, const struct ccline_word *source, const char *object)
{
        struct list l = {0};

        list_add(&l, cc->compiler);
        add_compile(&l, cc);
        for (size_t i = 0; i < cc->line.n; i++)
                if (cc->line.words[i].kind == CCLINE_OPTION)
                        list_add(&l, cc->line.words[i].text);
        list_addf(&l, "-I%s", cc->place.include);
        if (source->language) {
                list_add(&l, "-x");
                list_add(&l, source->language);
        }
        list_add(&l, "-c");
        list_add(&l, source->text);
        list_add(&l, "-o");
        list_add(&l, object);
        return run(&l);
}

/* Compiles each source, then links: for a compiler that must not see the flag when it links. */
static int apart(const struct cc *cc)
{
        struct list link = {0};
        int number = 0;

        list_add(&link, cc->compiler);
        for (size_t i = 0; i < cc->line.n; i++) {
                const struct ccline_word *word = &cc->line.words[i];
                if (word->kind == CCLINE_LANGUAGE)
                        continue;
                if (word->kind != CCLINE_SOURCE) {
                        list_add(&link, word->text);
                        continue;
                }
                char *object = temp_file(list_format("%d.o", number++));
                if (!object)
                        return STATUS_USAGE;
                int status = compile_one(cc, word, object);
                if (status != 0)
                        return status;
                list_add(&link, object);
        }
        add_link(&link, cc);
        return run(&link);
}

static int prepare(struct cc *cc, const char *compiler, bool cxx, char **argv)
{
        int err = choose_compiler(cc, compiler, cxx);

        if (err)
                return err;
        if (place_find(&cc->place) < 0)
                return STATUS_INTERNAL;
        ccline_parse(&cc->line, argv);
        if (cc->line.is_static && cc->line.links)
                return status_usage("a statically linked program cannot be checked; leave -static out");
        return 0;
}

int cc_main(bool cxx, char **argv)
{
        struct cc cc = {0};
        const char *compiler = NULL;
        struct list l = {0};

        if (argv[0] && strncmp(argv[0], "--compiler=", 11) == 0) {
                compiler = argv[0] + 11;
                argv++;
        } else if (argv[0] && strcmp(argv[0], "--compiler") == 0) {
                if (!argv[1])
                        return status_usage("--compiler wants a value: --compiler gcc or --compiler clang");
                compiler = argv[1];
                argv += 2;
        }
        int err = prepare(&cc, compiler, cxx, argv);
        if (err)
                return err;
        if (!cc.clang && cc.line.compiles && cc.line.links) {
                temp_watch_signals();
                return apart(&cc);
        }
        whole(&l, &cc);
        execvp(l.words[0], l.words);
        return status_usage("cannot start %s: %s", l.words[0], strerror(errno));
}

int cc_program(const char *compiler, const struct list *flags, const struct list *sources, const char *program)
{
        struct cc cc = {0};
        struct list argv = {0}, l = {0};
        bool cxx = false, level = false;

        for (size_t i = 0; i < flags->n; i++)
                if (strncmp(flags->words[i], "-O", 2) == 0)
                        level = true;
        if (!level)
                list_add(&argv, "-O0");
        list_add(&argv, "-g");
        /* Libraries are wanted behind what needs them. */
        for (int libraries = 0; libraries < 2; libraries++) {
                for (size_t i = 0; i < flags->n; i++)
                        if ((strncmp(flags->words[i], "-l", 2) == 0) == libraries)
                                list_add(&argv, flags->words[i]);
                for (size_t i = 0; !libraries && i < sources->n; i++) {
                        list_add(&argv, sources->words[i]);
                        cxx = cxx || ccline_source(sources->words[i]) == 2;
                }
        }
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
        if (!cc.clang)
                return apart(&cc);
        whole(&l, &cc);
        return run(&l);
}
