/*
 * Compilers are found in two ways: by CC and CXX, and by name along PATH.  A folder has a script for each name, and is the first of
 * PATH; the scripts start heddle cc with the PATH of the user, so that it finds the real compilers.  configure and cmake remember the
 * names of the scripts for a later make, so the folder is in the user's cache and stays; its name is a hash of what the scripts say.
 * Where the cache cannot be written, the folder is a private one that is removed at the end.
 *
 * Afterwards all files below the working directory that the build made or changed are checked.
 */
#include "cli/build.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "binary/instrumentation.h"
#include "cli/help.h"
#include "cli/install_paths.h"
#include "cli/list.h"
#include "cli/option/value.h"
#include "cli/status.h"
#include "cli/temp.h"

#define OPEN_FOLDERS 32
#define SHOWN        20u /* objects that are named */

/* What the build made. */
static struct {
        struct timespec since;
        uint32_t ours, others;
        struct list names; /* of others */
} made;

/* The folder of the scripts, or NULL: there is no cache. */
static const char *folder_of(const char *compiler, const char *path)
{
        const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *self = list_path("/proc/self/exe");
        uint64_t h = HASH_FNV_START;
        char *folder;

        if (!cache || cache[0] != '/') {
                if (!home || home[0] != '/')
                        return NULL;
                cache = list_format("%s/.cache", home);
        }
        h = hash_bytes(h, self, strlen(self) + 1);
        h = hash_bytes(h, path, strlen(path) + 1);
        h = hash_bytes(h, compiler ? compiler : "", compiler ? strlen(compiler) : 0);
        (void)mkdir(cache, 0700);
        (void)mkdir(list_format("%s/heddle", cache), 0700);
        folder = list_format("%s/heddle/build-%016llx", cache, (unsigned long long)h);
        return (mkdir(folder, 0700) == 0 || errno == EEXIST) && access(folder, W_OK | X_OK) == 0 ? folder : NULL;
}

/* `to`: the command of heddle, or NULL for the real program of that name.  The script, or NULL with a line for the user. */
static char *add_script(const char *folder, const char *name, const char *to, const char *compiler, const char *path)
{
        struct list words = {0}, setting = {0};
        char *file = folder ? list_format("%s/%s", folder, name) : temp_file(name);
        char *draft = folder ? list_format("%s/.%s.%ld", folder, name, (long)getpid()) : file;
        FILE *f = file ? fopen(draft, "we") : NULL;

        if (!file)
                return NULL;
        list_add(&words, to ? list_path("/proc/self/exe") : name);
        if (to)
                list_add(&words, to);
        if (to && compiler)
                list_addf(&words, "--compiler=%s", compiler);
        list_add(&setting, path);
        bool written = f && fprintf(f, "#!/bin/sh\nPATH=%s\nexport PATH\nexec %s \"$@\"\n", list_quote(&setting),
                                    list_quote(&words)) > 0;
        written = f && fclose(f) == 0 && written && chmod(draft, 0700) == 0 && (!folder || rename(draft, file) == 0);
        if (!written)
                status_usage("cannot write %s: %s", file, strerror(errno));
        return written ? file : NULL;
}

/* The scripts, and the environment in which the build finds them. */
static int prepare(const char *compiler)
{
        static const struct {
                const char *name, *to, *variable;
        } all[] = {{"cc", "cc", "CC"},       {"gcc", "cc", NULL},
                   {"clang", "cc", NULL},    {"x86_64-linux-gnu-gcc", "cc", NULL},
                   {"c++", "c++", "CXX"},    {"g++", "c++", NULL},
                   {"clang++", "c++", NULL}, {"x86_64-linux-gnu-g++", "c++", NULL},
                   {"ld", NULL, "LD"}};
        const char *path = place_search_path();
        const char *script = NULL, *folder = folder_of(compiler, path);

        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
                script = add_script(folder, all[i].name, all[i].to, compiler, path);
                if (!script)
                        return STATUS_USAGE;
                if (all[i].variable)
                        setenv(all[i].variable, script, 1);
        }
        setenv("PATH", list_format("%.*s:%s", (int)(strrchr(script, '/') - script), script, path), 1);
        return STATUS_SAFE;
}

static bool is_elf(const char *path)
{
        char magic[4] = "";
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        bool elf = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic && memcmp(magic, "\177ELF", 4) == 0;

        if (fd >= 0)
                close(fd);
        return elf;
}

static int look(const char *path, const struct stat *st, int type, struct FTW *at)
{
        struct watched_file w;

        (void)at;
        if (type != FTW_F || !S_ISREG(st->st_mode) || st->st_mtim.tv_sec < made.since.tv_sec ||
            (st->st_mtim.tv_sec == made.since.tv_sec && st->st_mtim.tv_nsec < made.since.tv_nsec))
                return 0;
        if (!is_elf(path) || watched_scan(path, &w) != 0)
                return 0;
        if (w.hooks) {
                made.ours++;
                return 0;
        }
        if (made.others++ < SHOWN)
                list_add(&made.names, list_format("%s", strncmp(path, "./", 2) == 0 ? path + 2 : path));
        return 0;
}

static void tell(void)
{
        if (nftw(".", look, OPEN_FOLDERS, FTW_PHYS) != 0)
                status_note("not every folder could be read: %s", strerror(errno));
        if (made.ours + made.others == 0)
                status_note("the command made no objects in this folder; if it was to make some, clean first");
        else if (made.others == 0)
                status_note("%u objects and programs made, all instrumented", made.ours);
        else
                status_note("%u objects and programs made, %u of them not instrumented:%s", made.ours + made.others,
                            made.others, made.others > SHOWN ? " (the first 20)" : "");
        for (size_t i = 0; i < made.names.n; i++)
                fprintf(stderr, "  %s\n", list_quote(&(struct list){.words = &made.names.words[i], .n = 1}));
}

/* Waits for the build, which gets signals of the terminal itself. */
static int run(char **argv)
{
        int status = 0;
        pid_t pid;

        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);
        pid = fork();
        if (pid == 0) {
                signal(SIGINT, SIG_DFL);
                signal(SIGQUIT, SIG_DFL);
                execvp(argv[0], argv);
                status_usage("cannot run '%s': %s", argv[0], strerror(errno));
                _exit(127);
        }
        if (pid < 0)
                return status_usage("cannot start the build: %s", strerror(errno));
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int build_main(char **argv)
{
        const char *compiler = NULL;
        int status;

        if (argv[0] && strcmp(argv[0], "--help") == 0)
                return help_command(stdout, "build", false);
        if (argv[0] && strncmp(argv[0], "--compiler=", 11) == 0)
                compiler = *argv++ + 11;
        if (compiler && value_word("clang gcc", compiler) < 0)
                return status_usage("--compiler is clang or gcc, not '%s'", compiler);
        if (argv[0] && strcmp(argv[0], "--") == 0)
                argv++;
        if (!argv[0])
                return status_usage("build needs the command of a build, such as: heddle build make");
        if (argv[0][0] == '-')
                return status_usage("build has no option '%s'; it takes --compiler=clang|gcc and a command", argv[0]);
        clock_gettime(CLOCK_REALTIME, &made.since);
        status = prepare(compiler);
        if (status == STATUS_SAFE) {
                status = run(argv);
                tell();
        }
        temp_remove();
        return status;
}
