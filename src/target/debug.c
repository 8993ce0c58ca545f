/*
 * Starting a debugger on a schedule.  What the program is started with goes into a memfd as strings that end in a zero:
 *
 *     down fd, up fd, standard input fd, program, number of arguments, arguments, number of variables, environment
 */
#include "target/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/spawn.h"

#define EXEC_FAILED 127

static uint32_t count(char *const *words)
{
        uint32_t n = 0;

        while (words[n])
                n++;
        return n;
}

static void put_words(FILE *f, char *const *words)
{
        fprintf(f, "%u%c", count(words), 0);
        for (; *words; words++)
                fprintf(f, "%s%c", *words, 0);
}

/* The descriptor, open across exec; -1 with errno. */
static int write_launch(const struct spawn *s)
{
        int fd = spawn_fd_high(memfd_create("heddle-launch", MFD_CLOEXEC));
        FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");

        if (!f)
                return -1;
        fprintf(f, "%d%c%d%c%d%c%d%c%s%c", s->down_ro_fd, 0, s->up_fd, 0, s->stdin_fd, 0, s->helpers_fd, 0,
                s->config->program, 0);
        put_words(f, s->config->argv);
        put_words(f, s->env);
        return fclose(f) == 0 ? fd : -1;
}

/* Ctrl-C belongs to the debugger while it runs. */
static int run_debugger(char **argv, int *status, struct error *why)
{
        void (*interrupt)(int) = signal(SIGINT, SIG_IGN);
        pid_t pid;

        fflush(NULL);
        pid = fork();
        if (pid == 0) {
                signal(SIGINT, SIG_DFL);
                execvp(argv[0], argv);
                _exit(EXEC_FAILED);
        }
        while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
                ;
        signal(SIGINT, interrupt);
        if (pid > 0 && !(WIFEXITED(*status) && WEXITSTATUS(*status) == EXEC_FAILED))
                return 0;
        return error_set(why, ERROR_USAGE, "cannot run %s; install it, on Debian: apt-get install gdb", argv[0]);
}

int debug_launch(struct target *t, const struct trace *trace, struct debugger *d, struct error *why)
{
        uint32_t threads = trace_threads(trace);
        int launch;

        target_stop(t);
        if (d->command == NULL || threads > t->pool)
                return ERROR_FAIL;
        t->pool = threads;
        t->isolate = WIRE_ISOLATE_DEBUG;
        t->spawn.out_fd = STDOUT_FILENO;
        t->spawn.err_fd = STDERR_FILENO;
        launch = write_launch(&t->spawn);
        char **argv =
                launch < 0 ? NULL : d->command(d->arg, trace, launch, t->spawn.up_fd, offsetof(struct wire_up, debug));
        if (!argv || target_reset(t) != TARGET_OK)
                return error_set(why, ERROR_FAIL, "cannot prepare the debugger: %s", strerror(errno));
        t->down->seq = 1;
        for (const int *fd = (const int[]){t->spawn.down_ro_fd, t->spawn.up_fd, t->spawn.stdin_fd, launch,
                                           t->spawn.helpers_fd, -1};
             *fd >= 0; fd++)
                fcntl(*fd, F_SETFD, 0);
        return run_debugger(argv, &d->status, why);
}

static char *next_word(char **at, char *end)
{
        char *word = *at, *zero = word < end ? memchr(word, 0, (size_t)(end - word)) : NULL;

        *at = zero ? zero + 1 : end;
        return zero ? word : NULL;
}

static char **next_words(char **at, char *end)
{
        char *n = next_word(at, end), **words;
        uint32_t max = n ? (uint32_t)strtoul(n, NULL, 10) : 0;

        words = calloc((size_t)max + 1, sizeof *words);
        for (uint32_t i = 0; words && i < max; i++)
                words[i] = next_word(at, end);
        return words;
}

void debug_become(int launch)
{
        struct config config = {0};
        struct spawn s = {.config = &config, .out_fd = STDOUT_FILENO, .err_fd = STDERR_FILENO};
        struct stat st;
        char *at, *end, *down, *up, *in, *helpers;

        if (fstat(launch, &st) != 0)
                return;
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, launch, 0);
        if (at == MAP_FAILED)
                return;
        end = at + st.st_size;
        down = next_word(&at, end);
        up = next_word(&at, end);
        in = next_word(&at, end);
        helpers = next_word(&at, end);
        config.program = next_word(&at, end);
        config.argv = next_words(&at, end);
        s.env = next_words(&at, end);
        errno = EINVAL;
        if (!down || !up || !in || !helpers || !config.program || !config.argv || !s.env)
                return;
        s.down_ro_fd = atoi(down);
        s.up_fd = atoi(up);
        s.stdin_fd = atoi(in);
        s.helpers_fd = atoi(helpers);
        spawn_become(&s);
}
