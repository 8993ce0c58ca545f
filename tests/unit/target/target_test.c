/*
 * The target process: this program executes itself as a target that speaks the wire protocol and misbehaves on demand.
 */
#include "target/target.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"

#define CHECK(c)                                                                \
        do {                                                                    \
                if (!(c)) {                                                     \
                        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c); \
                        exit(1);                                                \
                }                                                               \
        } while (0)

#define RUNTIME "no-such-runtime.so" /* ld.so ignores it, with a line on standard error */

/* What the fake target finds out about its world, as bits of `step`. */
#define SAW_ENV     (1u << 0)
#define SAW_RO_DOWN (1u << 1)
#define SAW_FDS     (1u << 2)
#define SAW_NO_ASLR (1u << 3)
#define SAW_CONFIG  (1u << 4)

/* ---- the target's side ---- */

static const struct wire_down *down;
static struct wire_up *up;

static void answer(void)
{
        __atomic_store_n(&up->running, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&up->seq, up->seq + 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &up->seq, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void on_loop_signal(int signal)
{
        (void)signal;
        up->n_failures = 1;
        up->failures[0].kind = WIRE_FAIL_LOOP;
        answer();
        _exit(0);
}

static bool env_is(const char *name, const char *value)
{
        const char *v = getenv(name);
        return v && strcmp(v, value) == 0;
}

static bool only_known_descriptors(int a, int b)
{
        DIR *dir = opendir("/proc/self/fd");
        bool ok = dir != NULL;
        struct dirent *e;
        while (ok && (e = readdir(dir)) != NULL) {
                int fd = atoi(e->d_name);
                ok = fd <= 2 || fd == a || fd == b || fd == dirfd(dir);
        }
        if (dir)
                closedir(dir);
        return ok;
}

static uint32_t look_around(int down_fd, int up_fd)
{
        uint32_t saw = 0;
        if (env_is("LD_PRELOAD", RUNTIME ":other.so") && env_is("LD_BIND_NOW", "1") && env_is("KEPT", "yes") &&
            env_is("GLIBC_TUNABLES", "glibc.malloc.check=0:glibc.pthread.rseq=0"))
                saw |= SAW_ENV;
        if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, down_fd, 0) == MAP_FAILED && errno == EACCES)
                saw |= SAW_RO_DOWN;
        if (only_known_descriptors(down_fd, up_fd) && down_fd >= 200 && up_fd >= 200)
                saw |= SAW_FDS;
        if (personality(0xffffffffu) & ADDR_NO_RANDOMIZE)
                saw |= SAW_NO_ASLR;
        if (down->magic == WIRE_MAGIC && down->version == WIRE_VERSION && down->pool == 3 && down->stack_kb == 8192 &&
            down->preempt == WIRE_PREEMPT_SYNC && down->isolate == WIRE_ISOLATE_FORK && down->seed == 42)
                saw |= SAW_CONFIG;
        return saw;
}

static void act(const char *mode, uint32_t run)
{
        struct timespec forever = {.tv_sec = 1000};
        if (strcmp(mode, "exit") == 0 && run == 3)
                _exit(3);
        if (strcmp(mode, "kill") == 0 && run == 2)
                raise(SIGKILL);
        if (strcmp(mode, "loop") == 0) {
                signal(WIRE_LOOP_SIGNAL, on_loop_signal);
                for (;;)
                        nanosleep(&forever, NULL);
        }
        if (strcmp(mode, "deaf") == 0) {
                signal(WIRE_LOOP_SIGNAL, SIG_IGN);
                for (;;)
                        nanosleep(&forever, NULL);
        }
        if (strcmp(mode, "slow") == 0) {
                struct timespec pause = {.tv_nsec = 120000000};
                for (int i = 0; i < 8; i++) {
                        nanosleep(&pause, NULL);
                        __atomic_store_n(&up->n_events, up->n_events + 1, __ATOMIC_RELAXED);
                }
        }
        up->final = strcmp(mode, "final") == 0;
        if (strcmp(mode, "speak") == 0)
                CHECK(write(1, "out", 3) == 3 && write(2, "err", 3) == 3);
}

static int fake_main(const char *mode)
{
        int down_fd, up_fd;
        uint32_t seen = 0, run = 0;
        const char *wire = getenv(WIRE_ENV);
        CHECK(wire && sscanf(wire, "%d,%d", &down_fd, &up_fd) == 2);
        if (strcmp(mode, "early") == 0)
                return 5;
        down = mmap(NULL, sizeof(*down), PROT_READ, MAP_SHARED, down_fd, 0);
        up = mmap(NULL, sizeof(*up), PROT_READ | PROT_WRITE, MAP_SHARED, up_fd, 0);
        CHECK(down != MAP_FAILED && up != MAP_FAILED && up->seq == 0 && down->seq == 0);
        up->magic = WIRE_MAGIC;
        up->waits = 1; /* always woken */
        up->version = WIRE_VERSION + (strcmp(mode, "version") == 0);
        up->step = look_around(down_fd, up_fd);
        if (strcmp(mode, "stdin") == 0) {
                ssize_t n = read(0, up->text, sizeof(up->text) - 1);
                up->text[n > 0 ? n : 0] = 0;
        }
        answer();
        for (;;) {
                while (__atomic_load_n(&down->seq, __ATOMIC_ACQUIRE) == seen)
                        syscall(SYS_futex, &down->seq, FUTEX_WAIT, seen, NULL, NULL, 0);
                seen++;
                up->running = 1;
                act(mode, ++run);
                up->n_events = down->n_prefix + 1;
                bool final = up->final;
                answer();
                if (final)
                        return 0;
        }
}

/* ---- the explorer's side ---- */

static char self[4096];
static char *args[] = {self, NULL, NULL};
static struct config config = {
        .outputs = OUTPUTS_OFF,
        .program = self,
        .argv = args,
        .runtime = RUNTIME,
        .preempt = WIRE_PREEMPT_SYNC,
        .seed = 42,
        .loop_seconds = 0.6,
};

static void begin(struct target *t, char *mode)
{
        args[1] = mode;
        CHECK(target_init(t, &config) == TARGET_OK);
        CHECK(t->pin && t->pid == 0 && t->down->seq == 0);
        t->pin = false;
}

static void runs_and_answers(void)
{
        struct target t;
        begin(&t, "plain");
        for (uint32_t i = 0; i < 2000; i++) {
                t.down->command = WIRE_RUN;
                t.down->n_prefix = i;
                CHECK(target_run(&t) == TARGET_OK);
                CHECK(t.up->n_events == i + 1 && !t.fresh);
        }
        CHECK(t.starts == 1 && t.pid != 0);
        target_stop(&t);
        CHECK(t.pid == 0);
        CHECK(target_run(&t) == TARGET_OK && t.starts == 2);
        target_fini(&t);
}

static void world_of_the_target(void)
{
        struct target t;
        setenv("LD_PRELOAD", "other.so", 1);
        setenv("GLIBC_TUNABLES", "glibc.malloc.check=0", 1);
        setenv("KEPT", "yes", 1);
        int leaked = open("/dev/null", O_RDONLY);
        begin(&t, "plain");
        t.pool = 3;
        t.blocks = true;
        t.isolate = WIRE_ISOLATE_FORK;
        CHECK(target_start(&t) == TARGET_OK && t.fresh && t.up_seq == 1);
        CHECK(t.up->step & SAW_ENV);
        CHECK(t.up->step & SAW_RO_DOWN);
        CHECK(t.up->step & SAW_FDS);
        CHECK(t.spawn.aslr || (t.up->step & SAW_NO_ASLR));
        CHECK(t.up->step & SAW_CONFIG);
        target_fini(&t);
        close(leaked);
        unsetenv("LD_PRELOAD");
        unsetenv("GLIBC_TUNABLES");
}

static void death_is_reported_and_survived(void)
{
        struct target t;
        begin(&t, "exit");
        CHECK(target_run(&t) == TARGET_OK && target_run(&t) == TARGET_OK);
        CHECK(target_run(&t) == TARGET_DIED && t.pid == 0 && strcmp(t.why.text, "exited with status 3") == 0);
        CHECK(target_run(&t) == TARGET_OK && t.starts == 2);
        target_fini(&t);
        begin(&t, "kill");
        CHECK(target_run(&t) == TARGET_OK);
        CHECK(target_run(&t) == TARGET_DIED && t.pid == 0 && t.signal == 9 &&
              strcmp(t.why.text, "a signal ended the process") == 0);
        target_fini(&t);
}

static void final_answer_ends_the_target(void)
{
        struct target t;
        begin(&t, "final");
        for (uint32_t i = 1; i <= 3; i++)
                CHECK(target_run(&t) == TARGET_OK && t.pid == 0 && t.starts == i && t.up->final);
        target_fini(&t);
}

static void failures_to_start(void)
{
        struct target t;
        begin(&t, "early");
        CHECK(target_run(&t) == TARGET_FAIL && t.pid == 0 && strstr(t.why.text, "exited with status 5 before"));
        target_fini(&t);
        begin(&t, "version");
        CHECK(target_run(&t) == TARGET_FAIL && t.pid == 0 && strstr(t.why.text, "protocol"));
        target_fini(&t);
        config.program = "/no/such/program";
        begin(&t, "plain");
        CHECK(target_start(&t) == TARGET_FAIL && t.pid == 0);
        CHECK(strcmp(t.why.text, "cannot run /no/such/program: No such file or directory") == 0);
        config.program = self;
        target_fini(&t);
}

static void endless_loop_is_interrupted(void)
{
        struct target t;
        begin(&t, "loop");
        CHECK(target_run(&t) == TARGET_OK && t.up->n_failures == 1 && t.up->failures[0].kind == WIRE_FAIL_LOOP);
        target_fini(&t);
}

static void deaf_target_is_killed(void)
{
        struct target t;
        begin(&t, "deaf");
        CHECK(target_run(&t) == TARGET_LOOP && t.pid == 0);
        target_fini(&t);
}

static void slow_progress_is_no_loop(void)
{
        struct target t;
        begin(&t, "slow");
        CHECK(target_run(&t) == TARGET_OK && t.up->n_failures == 0);
        target_fini(&t);
}

static void on_alarm(int signal)
{
        (void)signal;
        loop_interrupted = 1;
}

static void interrupt_ends_the_wait(void)
{
        struct target t;
        struct sigaction sa = {.sa_handler = on_alarm};
        sigaction(SIGALRM, &sa, NULL);
        config.loop_seconds = 100;
        begin(&t, "deaf");
        alarm(1);
        CHECK(target_run(&t) == TARGET_INTR && t.pid == 0);
        target_fini(&t);
        loop_interrupted = 0;
        config.loop_seconds = 0.6;
}

/* Starts twice: both targets must read the same. */
static void reads(const char *text)
{
        struct target t;
        begin(&t, "stdin");
        for (int i = 0; i < 2; i++)
                CHECK(target_start(&t) == TARGET_OK && strcmp(t.up->text, text) == 0);
        target_fini(&t);
}

static void standard_input(void)
{
        int saved = dup(0), fds[2];
        int file = memfd_create("input", 0);
        CHECK(write(file, "one two", 7) == 7);
        lseek(file, 4, SEEK_SET);
        dup2(file, 0);
        reads("two");
        CHECK(lseek(0, 0, SEEK_CUR) == 4);
        close(file);

        CHECK(pipe(fds) == 0 && write(fds[1], "piped", 5) == 5);
        close(fds[1]);
        dup2(fds[0], 0);
        close(fds[0]);
        reads("piped");

        CHECK(pipe(fds) == 0); /* open, and silent */
        dup2(fds[0], 0);
        close(fds[0]);
        reads("");
        close(fds[1]);

        close(0);
        reads("");
        dup2(saved, 0);
        close(saved);
}

/* The two streams even when they are at each other's numbers. */
static void output_goes_to_its_file(void)
{
        struct target t;
        char text[8] = "";
        int out[2], err[2], saved[2] = {dup(1), dup(2)};
        CHECK(pipe(out) == 0 && pipe(err) == 0);
        begin(&t, "speak");
        CHECK(target_run(&t) == TARGET_OK && t.down->output == 0);
        target_stop(&t);
        dup2(err[1], 1);
        dup2(out[1], 2);
        t.spawn.out_fd = 2;
        t.spawn.err_fd = 1;
        int rc = target_run(&t);
        dup2(saved[0], 1);
        dup2(saved[1], 2);
        CHECK(rc == TARGET_OK && t.down->output == 1);
        CHECK(read(out[0], text, sizeof(text)) == 3 && memcmp(text, "out", 3) == 0);
        char errors[4096]; /* the loader's complaint comes first */
        ssize_t n = read(err[0], errors, sizeof(errors));
        CHECK(n >= 3 && memcmp(errors + n - 3, "err", 3) == 0);
        target_fini(&t);
        int fds[] = {out[0], out[1], err[0], err[1], saved[0], saved[1]};
        for (int i = 0; i < 6; i++)
                close(fds[i]);
}

static int count_descriptors(void)
{
        DIR *dir = opendir("/proc/self/fd");
        int n = 0;
        CHECK(dir);
        while (readdir(dir))
                n++;
        closedir(dir);
        return n;
}

int main(int argc, char **argv)
{
        if (argc == 2)
                return fake_main(argv[1]);
        ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
        CHECK(n > 0);
        int before = count_descriptors();
        runs_and_answers();
        world_of_the_target();
        death_is_reported_and_survived();
        final_answer_ends_the_target();
        failures_to_start();
        endless_loop_is_interrupted();
        deaf_target_is_killed();
        slow_progress_is_no_loop();
        interrupt_ends_the_wait();
        standard_input();
        output_goes_to_its_file();
        CHECK(count_descriptors() == before); /* target_fini leaves none behind */
        return 0;
}
