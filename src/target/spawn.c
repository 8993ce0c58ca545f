/*
 * How the target process comes to be: its descriptors, its environment, fork and exec.
 *
 * Invariant: two targets started from the same struct see the same world -- arguments, environment, standard input from
 * the same offset, the same descriptors at the same numbers, the same addresses where the kernel lets us.  The program
 * is executed directly: a shell or wrapper in between would get the preloaded runtime too.
 */
#include "target/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/deadline.h"
#include "target/guard.h"

#define STDIN_MAX     (INT64_C(1) << 28)
#define STDIN_WAIT_MS 200
#define CHILD_FD_SCAN 65536u
#define ENV_MAX       (1u << 24)
#define OWN_ENV       4
#define ENV_SEED      UINT64_C(0x656e7669726f6e)
#define ENV_PAGE      4096u

extern char **environ;

int spawn_error(struct error *why, const char *what)
{
        return error_set(why, TARGET_FAIL, "%s: %s", what, strerror(errno));
}

int spawn_fd_high(int fd)
{
        static const int floors[] = {900, 200, 40, 3};
        if (fd < 0)
                return -1;
        for (size_t i = 0; i < sizeof(floors) / sizeof(floors[0]); i++) {
                int high = fcntl(fd, F_DUPFD_CLOEXEC, floors[i]);
                if (high >= 0) {
                        close(fd);
                        return high;
                }
        }
        return fd;
}

int spawn_memory(const char *name)
{
        static const char *const folders[] = {"/dev/shm", NULL, "/tmp"};
        int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

        for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(folders[0]); i++) {
                const char *folder = folders[i] ? folders[i] : getenv("TMPDIR");
                if (folder && *folder)
                        fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
                if (fd >= 0)
                        log_note("memfd_create() is not permitted here: memory is shared through a file in %s", folder);
        }
        return fd;
}

int spawn_fd_reopen(int fd, int flags)
{
        char path[40];
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        return open(path, flags);
}

/* Copies what is left of standard input into memory, so that every execution can read it from its start. */
static int stdin_copy(struct spawn *s, struct error *why)
{
        char buffer[65536];
        int64_t total = 0;
        s->stdin_fd = spawn_fd_high(spawn_memory("heddle-stdin"));
        if (s->stdin_fd < 0)
                return spawn_error(why, "cannot copy standard input");
        for (;;) {
                if (loop_interrupted)
                        return TARGET_INTR;
                ssize_t n = read(STDIN_FILENO, buffer, sizeof(buffer));
                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return spawn_error(why, "cannot read standard input");
                if (n == 0)
                        break;
                for (ssize_t done = 0; done < n;) {
                        ssize_t m = write(s->stdin_fd, buffer + done, (size_t)(n - done));
                        if (m < 0)
                                return spawn_error(why, "cannot copy standard input");
                        done += m;
                }
                total += n;
                if (total > STDIN_MAX)
                        return error_set(why, TARGET_FAIL, "standard input is too long: put it into a file");
        }
        lseek(s->stdin_fd, 0, SEEK_SET);
        return TARGET_OK;
}

/* Decides what the program reads as standard input: a file is opened again for each target, at the offset where ours
 * is; a pipe is copied to its end if it says something within STDIN_WAIT_MS (an idle one is often just inherited, and
 * may never end); a terminal, or nothing, is /dev/null. */
static int stdin_init(struct spawn *s, struct error *why)
{
        struct stat st;
        bool have = !s->config->no_stdin && fstat(STDIN_FILENO, &st) == 0;
        if (have && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))) {
                struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
                if (poll(&p, 1, STDIN_WAIT_MS) > 0)
                        return stdin_copy(s, why);
        } else if (have && !isatty(STDIN_FILENO)) {
                s->stdin_fd = spawn_fd_high(spawn_fd_reopen(STDIN_FILENO, O_RDONLY | O_CLOEXEC));
                if (s->stdin_fd >= 0)
                        lseek(s->stdin_fd, lseek(STDIN_FILENO, 0, SEEK_CUR), SEEK_SET);
                else if (S_ISREG(st.st_mode))
                        return stdin_copy(s, why);
        }
        if (s->stdin_fd < 0)
                s->stdin_fd = spawn_fd_high(open("/dev/null", O_RDONLY | O_CLOEXEC));
        return s->stdin_fd < 0 ? spawn_error(why, "cannot open /dev/null") : TARGET_OK;
}

static bool env_is(const char *entry, const char *name)
{
        size_t n = strlen(name);
        return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

/* Appends "name=<before><old><after>" to the environment; the separator is added only beside an old value. */
static int env_put(struct spawn *s, uint32_t i, const char *name, const char *before, const char *after)
{
        const char *old = before && after ? NULL : getenv(name);
        const char *sep = old && *old ? ":" : "";
        int n = asprintf(&s->env[i], "%s=%s%s%s%s%s", name, before ? before : "", before ? sep : "", old ? old : "",
                         after ? sep : "", after ? after : "");
        if (n < 0)
                s->env[i] = NULL;
        return n < 0 ? -1 : 0;
}

/* Fills the last entry up, so that all of them take whole pages.  The arguments lie below them on the stack: where a word
 * begins in a string, and so the number of steps of a function that reads it, must not depend on the folder or the shell that
 * heddle was started in. */
static int env_pad(char **env, uint32_t n)
{
        size_t total = 0, pad, last = strcspn(env[n - 1], " ");
        char *longer;

        env[n - 1][last] = '\0';
        for (uint32_t i = 0; i < n; i++)
                total += strlen(env[i]) + 1;
        pad = (ENV_PAGE - total % ENV_PAGE) % ENV_PAGE;
        longer = realloc(env[n - 1], last + pad + 1);
        if (!longer)
                return -1;
        memset(longer + last, ' ', pad);
        longer[last + pad] = '\0';
        env[n - 1] = longer;
        return 0;
}

/* What is loaded before the program: the runtime, then the plugins.  NULL: out of memory. */
static char *preloads(const struct config *config)
{
        char *all = strdup(config->runtime);

        for (uint32_t i = 0; all && i < config->n_ops; i++) {
                char *more;
                if (asprintf(&more, "%s:%s", all, config->ops[i]) < 0)
                        more = NULL;
                free(all);
                all = more;
        }
        return all;
}

/* Variables that differ between the machines and tasks of one search.  Those that end with '*' are beginnings of names. */
static bool env_is_local(const char *entry)
{
        static const char *const names[] = {"_",
                                            "CI_*",
                                            "CUDA_VISIBLE_DEVICES",
                                            "DBUS_*",
                                            "DISPLAY",
                                            "GITHUB_*",
                                            "HEDDLE_*",
                                            "HOST",
                                            "HOSTNAME",
                                            "INVOCATION_ID",
                                            "LSB_*",
                                            "LS_COLORS",
                                            "MAKEFLAGS",
                                            "MAKELEVEL",
                                            "MFLAGS",
                                            "OLDPWD",
                                            "OMPI_*",
                                            "PARALLEL_*",
                                            "PBS_*",
                                            "PMIX_*",
                                            "PMI_*",
                                            "PWD",
                                            "RUNNER_*",
                                            "SHLVL",
                                            "SLURM*",
                                            "SSH_*",
                                            "STY",
                                            "TERM",
                                            "TMUX*",
                                            "WINDOWID",
                                            "XDG_*"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                size_t n = strlen(names[i]);
                if (names[i][n - 1] == '*' ? !strncmp(entry, names[i], n - 1) : env_is(entry, names[i]))
                        return true;
        }
        return false;
}

static int env_order(const void *a, const void *b)
{
        return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Ours, with four entries of the target's own at the end.  Where others explore the same program elsewhere, without what differs
 * there, in one order: where the stack begins depends on it. */
static int env_init(struct spawn *s, struct error *why)
{
        static const char *const own[OWN_ENV] = {"LD_PRELOAD", "LD_BIND_NOW", "GLIBC_TUNABLES", WIRE_ENV};
        char fds[48];
        uint32_t n = 0;
        while (environ && environ[n])
                n++;
        s->env = calloc(n + OWN_ENV + 1, sizeof(*s->env));
        if (!s->env)
                return spawn_error(why, "cannot copy the environment");
        for (uint32_t i = 0; i < n; i++) {
                bool ours = config_many(s->config) && env_is_local(environ[i]);
                for (int k = 0; k < OWN_ENV; k++)
                        ours = ours || env_is(environ[i], own[k]);
                if (!ours)
                        s->env[s->n_env++] = environ[i];
        }
        if (config_many(s->config))
                qsort(s->env, s->n_env, sizeof(*s->env), env_order);
        snprintf(fds, sizeof(fds), "%d,%d,%d", s->down_ro_fd, s->up_fd, s->helpers_fd);
        char *preload = preloads(s->config);
        bool done = preload && env_put(s, s->n_env, own[0], preload, NULL) == 0 &&
                    env_put(s, s->n_env + 1, own[1], "1", "") == 0 &&
                    env_put(s, s->n_env + 2, own[2], NULL, "glibc.pthread.rseq=0") == 0 &&
                    env_put(s, s->n_env + 3, own[3], fds, "") == 0 && env_pad(s->env, s->n_env + OWN_ENV) == 0;
        free(preload);
        return done ? TARGET_OK : spawn_error(why, "cannot copy the environment");
}

/* Variables that libc and the loader read by themselves. */
static bool env_is_common(const char *entry)
{
        static const char *const names[] = {"HOME=",    "LANG",    "LC_",   "LD_",     "LOCPATH=", "MALLOC_",
                                            "NLSPATH=", "OUTPUT_", "PATH=", "TMPDIR=", "TZ"};

        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
                if (!strncmp(entry, names[i], strlen(names[i])))
                        return true;
        return false;
}

static uint64_t env_hash(const char *entry)
{
        return stream_hash(ENV_SEED, entry, strlen(entry)) | 1;
}

void spawn_env_save(const struct spawn *s, const uint8_t *read, struct stream *out)
{
        struct stream all = STREAM_INIT, hashes = STREAM_INIT;

        for (uint32_t i = 0; i < s->n_env; i++) {
                const char *entry = s->env[i], *value = strchr(entry, '=');
                bool whole = !value || env_is_common(entry) || i >= WIRE_MAX_ENV || read[i / 8] >> i % 8 & 1;
                size_t at = all.n, n = strlen(entry) + 1, name = value ? (size_t)(value - entry) + 1 : 0;

                stream_put(&all, entry, n);
                if (!whole && !all.failed)
                        memset(all.at + at + name, 'x', n - name - 1);
                stream_put_u64(&hashes, whole ? 0 : env_hash(entry));
        }
        stream_put_array(out, all.at, (uint32_t)all.n, 1);
        stream_put_array(out, hashes.at, s->n_env, sizeof(uint64_t));
        out->failed = out->failed || all.failed || hashes.failed;
        stream_fini(&all);
        stream_fini(&hashes);
}

/* The value that a variable has now, if it is the one that it had then. */
static void env_fill(char *entry, uint64_t *hash)
{
        size_t n = strlen(entry), name = (size_t)(strchrnul(entry, '=') - entry) + 1;

        for (char **e = environ; *hash && e && *e; e++)
                if (strlen(*e) == n && !strncmp(*e, entry, name) && env_hash(*e) == *hash) {
                        memcpy(entry, *e, n);
                        *hash = 0;
                }
}

int spawn_env_load(struct spawn *s, struct stream *in)
{
        uint32_t size, n_hashes, n = 0;
        char *text = stream_get_array(in, ENV_MAX, 1, &size);
        uint64_t *hashes = stream_get_array(in, ENV_MAX, sizeof *hashes, &n_hashes);
        char **env;

        for (uint32_t i = 0; text && i < size; i++)
                n += !text[i];
        env = calloc(n + OWN_ENV + 1, sizeof(*env));
        if (in->failed || (size && text[size - 1]) || n != n_hashes || !env) {
                free(text);
                free(hashes);
                free(env);
                return -1;
        }
        n = 0;
        for (uint32_t i = 0; i < size; i += (uint32_t)strlen(text + i) + 1) {
                env_fill(text + i, &hashes[n]);
                env[n++] = text + i;
        }
        memcpy(env + n, s->env + s->n_env, OWN_ENV * sizeof(*env));
        free(s->env);
        free(s->env_text);
        free(s->env_hashes);
        s->env = env;
        s->env_text = text;
        s->env_hashes = hashes;
        s->n_env = n;
        return env_pad(env, n + OWN_ENV);
}

const char *spawn_env_unknown(const struct spawn *s, const uint8_t *read)
{
        for (uint32_t i = 0; s->env_hashes && i < s->n_env && i < WIRE_MAX_ENV; i++)
                if (s->env_hashes[i] && read[i / 8] >> i % 8 & 1)
                        return s->env[i];
        return NULL;
}

/* Containers may forbid it; asking here, with the old value put back at once, tells before the first start. */
static bool aslr_stays(void)
{
        int old = personality(0xffffffffu);
        if (old < 0 || personality((unsigned)old | ADDR_NO_RANDOMIZE) < 0)
                return true;
        personality((unsigned)old);
        return false;
}

int spawn_init(struct spawn *s, struct error *why)
{
        s->aslr = aslr_stays();
        s->owner = getpid();
        if (s->config->helpers == WIRE_HELPERS_RECORD) {
                static int answers = -1; /* of all targets, and of workers that are forked later */
                if (answers < 0)
                        answers = spawn_fd_high(spawn_memory("heddle-helpers"));
                if (answers < 0)
                        return spawn_error(why, "cannot make a file for the answers of helpers");
                s->helpers_fd = answers;
        }
        int rc = stdin_init(s, why);
        return rc == TARGET_OK ? env_init(s, why) : rc;
}

void spawn_fini(struct spawn *s)
{
        if (s->stdin_fd >= 0)
                close(s->stdin_fd);
        for (uint32_t i = 0; s->env && i < OWN_ENV; i++)
                free(s->env[s->n_env + i]);
        free(s->env);
        free(s->env_text);
        free(s->env_hashes);
        s->stdin_fd = -1;
        s->env = NULL;
        s->env_text = NULL;
        s->env_hashes = NULL;
}

/* Child: descriptors 0 to 2 as the program shall see them.  0, or -1 with errno. */
static int child_streams(const struct spawn *s)
{
        int in = spawn_fd_reopen(s->stdin_fd, O_RDONLY);
        int out = s->out_fd >= 0 ? s->out_fd : open("/dev/null", O_WRONLY);
        int err = s->err_fd >= 0 ? s->err_fd : open("/dev/null", O_WRONLY);
        off_t offset = lseek(s->stdin_fd, 0, SEEK_CUR);
        if (offset > 0)
                lseek(in, offset, SEEK_SET);
        /* Above 2 first: a source may itself be one of the three. */
        in = fcntl(in, F_DUPFD_CLOEXEC, 3);
        out = fcntl(out, F_DUPFD_CLOEXEC, 3);
        err = fcntl(err, F_DUPFD_CLOEXEC, 3);
        if (in < 0 || out < 0 || err < 0)
                return -1;
        return dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0 ? -1 : 0;
}

/* Child: only 0 to 2 and the regions pass through exec. */
static void child_descriptors(const struct spawn *s)
{
        if (syscall(SYS_close_range, 3u, ~0u, 1u << 2 /* CLOSE_RANGE_CLOEXEC */) != 0) {
                struct rlimit limit;
                unsigned end = CHILD_FD_SCAN;
                if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < end)
                        end = (unsigned)limit.rlim_cur;
                for (unsigned fd = 3; fd < end; fd++)
                        fcntl((int)fd, F_SETFD, FD_CLOEXEC);
        }
        fcntl(s->down_ro_fd, F_SETFD, 0);
        fcntl(s->up_fd, F_SETFD, 0);
        if (s->helpers_fd >= 0)
                fcntl(s->helpers_fd, F_SETFD, 0);
}

void spawn_become(const struct spawn *s)
{
        int old = personality(0xffffffffu);
        if (old >= 0)
                personality((unsigned)old | ADDR_NO_RANDOMIZE);
        if (child_streams(s) == 0) {
                child_descriptors(s);
                execve(s->config->program, s->config->argv, s->env);
        }
}

/* Child: becomes the program, or tells why not through `report`. */
static _Noreturn void child_exec(const struct spawn *s, int report, pid_t parent)
{
        if (!guard_enter(parent, s->owner))
                _exit(127);
        spawn_become(s);
        int error = errno;
        ssize_t n = write(report, &error, sizeof(error));
        _exit(n == (ssize_t)sizeof(error) ? 127 : 126);
}

/* Forks and waits until exec has succeeded: the report's other end then closes without a word. */
int spawn_start(const struct spawn *s, int *started, struct error *why)
{
        int report[2], error = 0;
        pid_t parent = getpid();
        if (pipe2(report, O_CLOEXEC) != 0)
                return spawn_error(why, "cannot create a pipe");
        report[0] = spawn_fd_high(report[0]);
        report[1] = spawn_fd_high(report[1]);
        pid_t pid = fork();
        if (pid == 0)
                child_exec(s, report[1], parent);
        close(report[1]);
        if (pid < 0) {
                close(report[0]);
                return spawn_error(why, "cannot fork");
        }
        ssize_t n;
        do {
                n = read(report[0], &error, sizeof(error));
        } while (n < 0 && errno == EINTR);
        close(report[0]);
        if (n == (ssize_t)sizeof(error)) {
                while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                        ;
                return error_set(why, TARGET_FAIL, "cannot run %s: %s", s->config->program, strerror(error));
        }
        *started = pid;
        return TARGET_OK;
}
