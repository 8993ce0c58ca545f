/*
 * `heddle record`: the program runs natively in a child process, which shares memory with this one (wire/recording.h).  Whatever
 * becomes of the child, the memory has what it recorded; this process writes the file.
 */
#include "cli/record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/clock.h"
#include "base/hash.h"
#include "binary/instrumentation.h"
#include "binary/symbols.h"
#include "cli/executable.h"
#include "cli/help.h"
#include "cli/list.h"
#include "cli/option/value.h"
#include "cli/record/save.h"
#include "cli/status.h"
#include "record/collect.h"
#include "target/build_fingerprint.h"
#include "target/spawn.h"

#define RING_KB       1024u
#define RING_KB_MAX   (1u << 18)
#define POLL_NS       5000000L
#define INPUT_WAIT_MS 200

struct record {
        const char *file;
        uint64_t runs, run, seed, ring_kb;
        double timeout; /* seconds, 0: none */
        bool jitter;
        char **argv; /* the program, by its full path, and its arguments */
        struct rec_memory *memory;
        int fd;
        uint32_t ring; /* entries */
        char *folder;
        char *input; /* of the program */
        uint32_t n_input;
        int input_fd; /* ... again from its start in every run; -1: as it is */
        bool written;
        int unwritten; /* the status of a request that could not be served */
        double begun;  /* the run */
};

static volatile sig_atomic_t stopped; /* by a signal */
static volatile pid_t child;

/* Takes one option.  1: taken, 0: not an option, -1: wrong, and reported. */
static int take(struct record *r, char ***argv)
{
        const char *word = **argv, *value = (*argv)[1];
        struct error why = {""};
        int err = 0;

        if (word[0] != '-')
                return 0;
        if (strcmp(word, "--jitter") == 0) {
                r->jitter = true;
                ++*argv;
                return 1;
        }
        if (!value) {
                status_usage("%s needs a value, or is not an option of record; see heddle record --help", word);
                return -1;
        }
        if (strcmp(word, "-o") == 0)
                r->file = value;
        else if (strcmp(word, "--until-failure") == 0)
                err = value_number(&r->runs, value, 1, UINT32_MAX, &why);
        else if (strcmp(word, "--seed") == 0)
                err = value_number(&r->seed, value, 0, UINT64_MAX, &why);
        else if (strcmp(word, "--ring") == 0)
                err = value_number(&r->ring_kb, value, 1, RING_KB_MAX, &why);
        else if (strcmp(word, "--timeout") == 0)
                err = value_time(&r->timeout, value, &why);
        else
                err = error_set(&why, -1, "is not an option of record; see heddle record --help");
        if (err) {
                status_usage("%s %s", word, why.text);
                return -1;
        }
        *argv += 2;
        return 1;
}

static int parse(struct record *r, char **argv)
{
        struct watched_file watched;
        struct error why = {""};
        int taken;

        while (*argv && (taken = take(r, &argv)) != 0)
                if (taken < 0)
                        return STATUS_USAGE;
        if (!*argv)
                return status_usage("name the program: heddle record ./prog");
        if (binary_check(*argv, &why) < 0)
                return status_usage("%s", why.text);
        if (watched_scan(*argv, &watched) || !watched.paths)
                return status_usage(
                        "%s does not record its paths; build it with heddle cc --record or heddle c++ --record", *argv);
        r->argv = argv;
        return 0;
}

static int share(struct record *r)
{
        uint64_t entries = r->ring_kb * 1024 / sizeof(struct rec_entry);

        for (r->ring = 1; r->ring * 2 <= entries;)
                r->ring *= 2;
        r->fd = spawn_memory("heddle-recording");
        if (r->fd < 0 || ftruncate(r->fd, (off_t)rec_size(r->ring)) < 0)
                return status_internal("cannot share memory with the program: %s", strerror(errno));
        void *at = mmap(NULL, rec_size(r->ring), PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
        if (at == MAP_FAILED)
                return status_internal("cannot share memory with the program: %s", strerror(errno));
        r->memory = at;
        r->folder = list_path(".");
        return 0;
}

/* Standard input is kept, and the same in every run, if it is a file, or a pipe that says something soon. */
static int keep_input(struct record *r)
{
        struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
        struct stat st;
        ssize_t n;

        if (fstat(STDIN_FILENO, &st) < 0 || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) ||
            poll(&p, 1, INPUT_WAIT_MS) <= 0)
                return 0;
        r->input = list_alloc(RECORDING_MAX_INPUT);
        while (r->n_input < RECORDING_MAX_INPUT &&
               (n = read(STDIN_FILENO, r->input + r->n_input, RECORDING_MAX_INPUT - r->n_input)) > 0)
                r->n_input += (uint32_t)n;
        if (r->n_input == RECORDING_MAX_INPUT)
                return status_usage(
                        "standard input is longer than 16 MiB; name it as a file in the program's arguments");
        r->input_fd = spawn_memory("heddle-input");
        if (r->input_fd < 0 || write(r->input_fd, r->input, r->n_input) != (ssize_t)r->n_input)
                return status_internal("cannot copy standard input: %s", strerror(errno));
        return 0;
}

/* A run begins with empty memory. */
static int clear(struct record *r, uint64_t run)
{
        uint32_t seed = (uint32_t)hash_draw(r->seed + run) | 1;

        if (fallocate(r->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)rec_size(r->ring)) != 0)
                return status_internal("cannot clear shared memory: %s", strerror(errno));
        r->memory->magic = REC_MAGIC;
        r->memory->ring = r->ring;
        r->memory->jitter = r->jitter ? seed : 0;
        return 0;
}

static pid_t start(const struct record *r)
{
        pid_t pid;

        fflush(NULL);
        pid = fork();
        if (pid == 0) {
                int fd = dup(r->fd); /* without close-on-exec */
                setenv(REC_ENV, list_format("%d", fd), 1);
                if (r->input_fd >= 0 && lseek(r->input_fd, 0, SEEK_SET) == 0)
                        dup2(r->input_fd, STDIN_FILENO);
                execv(r->argv[0], r->argv);
                _exit(status_usage("cannot run %s: %s", r->argv[0], strerror(errno)));
        }
        return pid;
}

/* The place of the failure: of an assertion as the program says it, else the innermost function of the program on the stack. */
static char *place(const struct recording *r)
{
        struct wire_module modules[REC_MAX_MODULES];
        struct symbols *s;
        char *text = NULL;

        if (r->failure == REC_ASSERTION && !r->file[0])
                return list_format(": %s", r->condition);
        if (r->failure == REC_ASSERTION)
                return list_format(" in %s %s:%u: `%s'", r->function[0] ? r->function : "?", r->file, r->line,
                                   r->condition);
        for (uint32_t i = 0; i < r->n_modules; i++) {
                modules[i].base = r->modules[i].base;
                snprintf(modules[i].path, sizeof modules[i].path, "%.*s", (int)sizeof modules[i].path - 1,
                         r->modules[i].path);
        }
        s = symbols_create(modules, r->n_modules ? 1 : 0); /* the program itself */
        for (uint32_t i = 0; s && i < r->n_stack && !text; i++) {
                struct symbols_frame f = symbols_place(s, r->stack[i] + (i == 0 && r->failure != REC_DUMP));
                if (f.file)
                        text = list_format(" in %.*s %s:%u", (int)strcspn(f.function, "."), f.function, f.file, f.line);
        }
        if (s)
                symbols_destroy(s);
        return text ? text : list_format("%s", "");
}

char *record_describe(const struct recording *r)
{
        const char *where = r->n_stack || r->failure == REC_ASSERTION ? place(r) : "";

        switch (r->failure) {
        case REC_EXIT: return list_format("exit status %u", r->signal);
        case REC_HANG: return list_format("the program hangs");
        case REC_DUMP: return list_format("recorded on request%s", where);
        case REC_CRASH: return list_format("crash (%s)%s", strsignal((int)r->signal), where);
        default: return list_format("%s%s", recording_kind(r), where);
        }
}

static int write_file(struct record *r, const struct recording *rec)
{
        uint64_t bits = 0, lost = 0;
        int err = save_recording(r->file, "-o", rec);

        if (err)
                return err;
        for (uint32_t i = 0; i < rec->n_threads; i++) {
                bits += recording_bits(&rec->threads[i]);
                lost += rec->threads[i].lost;
        }
        status_note("%s; %u thread%s and %llu branches are in %s%s. Reproduce it: heddle reproduce %s",
                    record_describe(rec), rec->n_threads, rec->n_threads == 1 ? "" : "s", (unsigned long long)bits,
                    r->file, lost ? list_format(" (%llu older ones are lost)", (unsigned long long)lost) : "", r->file);
        r->written = true;
        return 0;
}

extern char **environ;

static int keep(struct record *r)
{
        struct recording rec = {.program = list_path(r->argv[0]),
                                .folder = r->folder,
                                .argv = r->argv,
                                .env = environ,
                                .input = r->input,
                                .n_input = r->n_input};
        int err = collect(&rec, r->memory, r->ring);

        rec.heddle = HEDDLE_VERSION;
        rec.fingerprint = identity_of(r->argv[0]);
        rec.processors = (uint32_t)get_nprocs();
        rec.rate = (uint32_t)((double)((__rdtsc() - r->memory->start) >> 6) / (1000 * (clock_now() - r->begun)));
        err = err ? status_internal("out of memory") : write_file(r, &rec);
        rec.heddle = rec.program = rec.folder = NULL; /* not its own */
        rec.argv = rec.env = NULL;
        rec.input = NULL;
        recording_fini(&rec);
        return err;
}

/* It takes too long: its threads are stopped where they are. */
static int hang(struct record *r, pid_t pid)
{
        int status, err;

        kill(pid, SIGSTOP);
        while (waitpid(pid, &status, WUNTRACED) < 0 && errno == EINTR)
                ;
        collect_hang(r->memory, pid);
        err = keep(r);
        kill(pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        return err ? err : STATUS_FAILURE;
}

/* On request, while the program runs on: that the file cannot be written does not concern it. */
static void dump(struct record *r)
{
        int err = keep(r);

        r->unwritten = err ? err : r->unwritten;
        r->memory->kind = REC_NONE;
        __atomic_store_n(&r->memory->failed, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&r->memory->dumped, r->memory->dumps, __ATOMIC_RELEASE);
}

static bool is_deadly(int sig)
{
        return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL || sig == SIGABRT || sig == SIGTRAP ||
               sig == SIGSYS;
}

static int ended(struct record *r, int status)
{
        bool failed = WIFEXITED(status) ? WEXITSTATUS(status) != 0 : is_deadly(WTERMSIG(status));
        int own = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

        if (!r->memory->attached && !stopped)
                return status_usage("%s ended before the recorder was there; build it with heddle cc --record",
                                    r->argv[0]);
        if (!failed && r->unwritten)
                return r->unwritten;
        if (!failed)
                return r->written ? STATUS_FAILURE : own;
        if (r->memory->kind == REC_NONE) { /* killed before it could tell */
                r->memory->kind = WIFEXITED(status) ? REC_EXIT : REC_CRASH;
                r->memory->signal = (uint32_t)(WIFEXITED(status) ? own : WTERMSIG(status));
                r->memory->thread = UINT32_MAX;
                status_note(
                        "%s ended without a word (it runs another program, or was killed): the last branches of its "
                        "threads are not recorded",
                        r->argv[0]);
        }
        int err = keep(r);
        return err ? err : STATUS_FAILURE;
}

static int run(struct record *r, uint64_t number)
{
        int status, err = clear(r, number);
        pid_t pid = err ? -1 : start(r);

        if (err)
                return err;
        r->begun = clock_now();
        if (pid < 0)
                return status_internal("cannot start %s: %s", r->argv[0], strerror(errno));
        child = pid;
        for (;;) {
                pid_t done = waitpid(pid, &status, WNOHANG);
                if (done == pid) {
                        child = 0;
                        return ended(r, status);
                }
                if (r->memory->dumps != r->memory->dumped)
                        dump(r);
                if (r->timeout > 0 && clock_now() - r->begun > r->timeout)
                        return hang(r, pid);
                nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL); /* SIGCHLD ends it early */
        }
}

static void on_child(int sig)
{
        (void)sig;
}

/* A signal from the terminal is for the program, which has it, too; one that was sent to heddle alone is handed on.  It is
 * the last run. */
static void on_signal(int sig, siginfo_t *info, void *context)
{
        (void)context;
        stopped = 1;
        if (info->si_code <= 0 && child > 0)
                kill(child, sig);
}

static void watch_signals(void)
{
        static const int ends[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
        struct sigaction sa = {.sa_handler = on_child};
        struct sigaction end = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, old;

        sigaction(SIGCHLD, &sa, NULL);
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
                if (ends[i] != SIGHUP || (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)) /* nohup */
                        sigaction(ends[i], &end, NULL);
}

int record_main(char **argv)
{
        struct record r = {.file = "heddle.rec", .runs = 1, .ring_kb = RING_KB, .fd = -1, .input_fd = -1};
        int status = STATUS_SAFE;

        if (argv[0] && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0))
                return help_command(stdout, "record", false);
        int err = parse(&r, argv);
        if (!err)
                err = save_try(r.file, "-o");
        if (!err)
                err = share(&r);
        if (!err)
                err = keep_input(&r);
        if (err)
                return err;
        watch_signals();
        for (; r.run < r.runs && status == STATUS_SAFE && !stopped; r.run++)
                status = run(&r, r.run);
        if (status == STATUS_SAFE && r.runs > 1)
                status_note("no failure in %llu run%s", (unsigned long long)r.run, r.run == 1 ? "" : "s");
        munmap(r.memory, rec_size(r.ring));
        close(r.fd);
        return status;
}
