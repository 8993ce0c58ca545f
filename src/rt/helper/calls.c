/* system(), popen(), pclose() and posix_spawn(). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/calls/stream.h"
#include "rt/fault.h"
#include "rt/helper/children.h"
#include "rt/helper/run.h"
#include "rt/io/descriptor.h"
#include "rt/io/signal_wait.h"
#include "rt/real.h"
#include "rt/thread/cancel.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/own_signals.h"

#define NOT_STARTED (127 << 8)
#define LONGEST     4096

static size_t length(const char *s)
{
        size_t n = 0;

        while (s[n])
                n++;
        return n;
}

static int run_shell(const char *command, int in, int out, int *kept)
{
        char shell[] = "sh", option[] = "-c";
        char *const argv[] = {shell, option, (char *)(uintptr_t)command, NULL};
        struct helper h = {.path = "/bin/sh", .argv = argv, .env = environ, .fd = {in, out, 2}};
        int error = helper_run(&h);

        if (kept)
                *kept = h.kept;
        return error ? NOT_STARTED : h.status;
}

/* What it prints goes to standard output. */
static struct effect printing(void)
{
        return rt.down->order_output ? EFFECT_CHANGE(stream_state(stdout)) : EFFECT_ADD(effect_position(1));
}

RT_EXPORT int system(const char *command)
{
        if (!rt_cur)
                return RT_REAL(system)(command);
        if (!command)
                return 1;
        const struct effect e[] = {HELPER_EFFECTS, printing()};

        cancel_point(RT_SITE());
        call_in(command, length(command) + 1, RT_SITE());
        effect_perform(e, sizeof e / sizeof *e, RT_SITE());
        return run_shell(command, 0, 1, NULL);
}

/* The program's descriptor for a file in memory. */
static FILE *stream_on(int memory, bool reads, bool close_on_exec)
{
        int fd = helper_reopen(memory, (reads ? O_RDONLY : O_WRONLY) | (close_on_exec ? O_CLOEXEC : 0));

        if (fd < 0) {
                errno = -fd;
                return NULL;
        }
        descriptor_opened(fd);
        return RT_REAL(fdopen)(fd, reads ? "r" : "w");
}

RT_EXPORT FILE *popen(const char *command, const char *mode)
{
        const struct effect e[] = {EFFECT_CHANGE(STATE_DESCRIPTORS), EFFECT_TAKES(EFFECT_LOWEST), HELPER_EFFECTS};
        bool reads, late = false;
        struct child *c;
        int status = 0, memory;
        FILE *f;

        if (!rt_cur)
                return RT_REAL(popen)(command, mode);
        call_in(command, length(command) + 1, RT_SITE());
        call_in(mode, length(mode) + 1, RT_SITE());
        reads = mode[0] == 'r';
        late = mode[0] && mode[1] == 'e';
        if ((!reads && mode[0] != 'w') || (mode[1] && (!late || mode[2]))) {
                errno = EINVAL;
                return NULL;
        }
        if (length(command) >= CHILD_COMMAND)
                rt_refuse("popen of a command with more than 4,095 characters");
        effect_perform(e, sizeof e / sizeof *e, RT_SITE());
        if (reads)
                status = run_shell(command, 0, HELPER_OUT, &memory);
        else
                memory = helper_memory();
        f = stream_on(memory, reads, late);
        if (!f)
                return NULL;
        c = child_new(f);
        c->status = status;
        rt_text(c->command, sizeof c->command, command);
        if (reads)
                helper_close(memory);
        else
                c->input = memory;
        return f;
}

RT_EXPORT int pclose(FILE *f)
{
        struct child *c = rt_cur ? child_of(f) : NULL;
        uintptr_t via;
        char command[CHILD_COMMAND];
        int status, input;

        if (!rt_cur)
                return RT_REAL(pclose)(f);
        via = rt_cur->stack.via;
        rt_cur->stack.via = via ? via : RT_SITE();
        status = fclose(f);
        rt_cur->stack.via = via;
        if (!c)
                return status;
        status = c->status;
        input = c->input;
        rt_text(command, sizeof command, c->command);
        child_forget(c);
        if (input >= 0) {
                const struct effect e[] = {HELPER_EFFECTS, printing()};

                effect_perform(e, sizeof e / sizeof *e, RT_SITE());
                status = run_shell(command, input, 1, NULL);
                helper_close(input);
        }
        return status;
}

/* posix_spawn.  glibc's record of one file action; the same in all versions, which only add tags. */
struct action {
        enum { DO_CLOSE, DO_DUP2, DO_OPEN, DO_CHDIR, DO_FCHDIR, DO_CLOSEFROM, DO_TCSETPGRP } tag;
        union {
                struct {
                        int fd, to;
                } number;
                struct {
                        int fd;
                        char *path;
                        int flags;
                        mode_t mode;
                } open;
                char *path;
        };
};

static int apply(struct helper *h, const struct action *a, int *opened)
{
        int fd = a->number.fd, to = a->number.to;

        switch (a->tag) {
        case DO_CLOSE:
                if (fd >= 0 && fd <= 2)
                        h->fd[fd] = HELPER_CLOSED;
                return 0;
        case DO_DUP2:
                if (to > 2)
                        rt_refuse("posix_spawn with a descriptor above 2 for the other program");
                h->fd[to] = fd <= 2 ? h->fd[fd] : fd;
                return 0;
        case DO_OPEN:
                if (a->open.fd > 2)
                        rt_refuse("posix_spawn with a descriptor above 2 for the other program");
                fd = RT_REAL(open)(a->open.path, a->open.flags | O_CLOEXEC, a->open.mode);
                if (fd < 0)
                        return errno;
                opened[a->open.fd] = fd;
                h->fd[a->open.fd] = fd;
                return 0;
        case DO_CHDIR: h->directory = a->path; return 0;
        case DO_FCHDIR: rt_refuse("posix_spawn_file_actions_addfchdir_np (use addchdir_np)"); return 0;
        default: return 0;
        }
}

static bool executable(const char *path)
{
        return rt_syscall6(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0, 0, 0) == 0;
}

static const char *variable(const char *name)
{
        size_t n = length(name);

        for (char **e = environ; e && *e; e++) {
                size_t i = 0;
                while (i < n && (*e)[i] == name[i])
                        i++;
                if (i == n && (*e)[n] == '=')
                        return *e + n + 1;
        }
        return NULL;
}

/* As execvp() finds a file. */
static bool search(const char *file, char *path)
{
        const char *at = variable("PATH");

        for (at = at ? at : "/bin:/usr/bin";; at++) {
                size_t n = 0;

                while (*at && *at != ':' && n < LONGEST / 2)
                        path[n++] = *at++;
                if (n)
                        path[n++] = '/';
                rt_text(path + n, LONGEST - n, file);
                if (executable(path))
                        return true;
                if (*at != ':')
                        return false;
        }
}

static void read_words(char *const *words, uintptr_t site)
{
        for (; words && *words; words++) {
                call_in(words, sizeof *words, site);
                call_in(*words, length(*words) + 1, site);
        }
}

/* The program's handler, or a thread that waits for the signal, learns that it has ended. */
static void tell(uintptr_t site)
{
        struct signal_message m = {.sig = SIGCHLD, .code = CLD_EXITED};

        if (signal_caught(SIGCHLD) || rt.accepts_signals)
                signal_send_process(&m, site);
}

static int spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, char *const argv[],
                 char *const env[], uintptr_t site)
{
        const struct effect e[] = {EFFECT_CHANGE(STATE_CHILDREN), HELPER_EFFECTS, printing()};
        struct helper h = {.path = path, .argv = argv, .env = env, .fd = {0, 1, 2}};
        int opened[3] = {-1, -1, -1}, error = 0, number;

        call_in(path, length(path) + 1, site);
        read_words(argv, site);
        read_words(env, site);
        effect_perform(e, sizeof e / sizeof *e, site);
        for (int i = 0; !error && actions && i < actions->__used; i++)
                error = apply(&h, (const struct action *)(const void *)actions->__actions + i, opened);
        if (!error)
                error = helper_run(&h);
        for (int i = 0; i < 3; i++)
                if (opened[i] >= 0)
                        RT_REAL(close)(opened[i]);
        if (error)
                return error;
        struct child *c = child_new(NULL);
        c->status = h.status;
        number = c->pid;
        call_out(pid, &number, sizeof number, site);
        tell(site);
        return 0;
}

RT_EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
        return rt_cur ? spawn(pid, path, actions, argv, env, RT_SITE())
                      : RT_REAL(posix_spawn)(pid, path, actions, attributes, argv, env);
}

RT_EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
        char path[LONGEST];
        bool named = false;

        if (!rt_cur)
                return RT_REAL(posix_spawnp)(pid, file, actions, attributes, argv, env);
        for (const char *p = file; *p; p++)
                named = named || *p == '/';
        if (named)
                return spawn(pid, file, actions, argv, env, RT_SITE());
        return search(file, path) ? spawn(pid, path, actions, argv, env, RT_SITE()) : ENOENT;
}
