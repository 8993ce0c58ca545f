/*
 * The target process: two shared regions, and the wait for an answer.  spawn.c starts it.
 *
 * Invariant: at most one target lives, and pid is 0 when none does.  The explorer writes `down`, the target writes
 * `up`, and each maps the other's region read-only.  Both regions outlive a target, so that what they know (names,
 * shared addresses, the prefix) survives a restart; the sequence numbers begin at 0 with every target.
 *
 * A run costs the explorer one store, one wake and one wait.  Everything else -- death, interruption, an endless loop
 * -- is checked only when the wait ends without an answer.  The handler of SIGCHLD does nothing but end that wait; a
 * death that slips in just before the wait is seen one slice later.
 */
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "target/region.h"
#include "target/spawn.h"

#define SLICE_NS          100000000L
#define START_SECONDS     30.0 /* until the runtime must have reported */
#define START_TRIES       10   /* of a target that came up before and is killed while it starts */
#define GRACE_SECONDS     2.0  /* from the loop signal to the answer */
#define AGAIN_SECONDS     0.05 /* of processor time, from the first loop signal to the second; or half the grace */
#define POINTLESS_SECONDS 0.5
#define RESTORE_SECONDS   10.0   /* on top of the limit, while no execution is under way */
#define STOPPED_SECONDS   0.5    /* as long may a signal have stopped it that stops the explorer too (Ctrl-Z) */
#define CROWDED_SECONDS   0.0005 /* no execution of a small program takes so long */
#define CROWDED_TURNS     200u
#define STACK_KB          8192u

static void on_child(int signal)
{
        (void)signal;
}

static int region_error(struct target *t)
{
        if (errno != EFBIG)
                return spawn_error(&t->why, "cannot create shared memory");
        return error_set(&t->why, TARGET_FAIL,
                         "the limit of the size of files (ulimit -f) is below the %zu MiB of memory that heddle shares "
                         "with the program; raise it",
                         sizeof(struct wire_up) >> 20);
}

static int regions_init(struct target *t)
{
        t->down_fd = region_create("heddle-down", sizeof(struct wire_down));
        t->spawn.up_fd = region_create("heddle-up", sizeof(struct wire_up));
        if (t->down_fd < 0 || t->spawn.up_fd < 0)
                return region_error(t);
        t->spawn.down_ro_fd = spawn_fd_high(spawn_fd_reopen(t->down_fd, O_RDONLY | O_CLOEXEC));
        if (t->spawn.down_ro_fd < 0)
                return spawn_error(&t->why, "cannot reopen shared memory through /proc");
        void *down = mmap(NULL, sizeof(struct wire_down), PROT_READ | PROT_WRITE, MAP_SHARED, t->down_fd, 0);
        if (down == MAP_FAILED)
                return spawn_error(&t->why, "cannot map shared memory");
        t->down = down;
        /* No other process can map it for writing, by whatever descriptor. */
        fcntl(t->down_fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
        fcntl(t->down_fd, F_ADD_SEALS, F_SEAL_SEAL);
        fcntl(t->spawn.up_fd, F_ADD_SEALS, F_SEAL_SEAL);
        void *up = mmap(NULL, sizeof(struct wire_up), PROT_READ, MAP_SHARED, t->spawn.up_fd, 0);
        if (up == MAP_FAILED)
                return spawn_error(&t->why, "cannot map shared memory");
        t->up = up;
        return TARGET_OK;
}

int target_init(struct target *t, const struct config *config)
{
        *t = (struct target){
                .config = config,
                .down_fd = -1,
                .pool = 1,
                .spawn = {.config = config,
                          .down_ro_fd = -1,
                          .up_fd = -1,
                          .out_fd = -1,
                          .err_fd = -1,
                          .stdin_fd = -1,
                          .helpers_fd = -1},
                .pin = true,
        };
        struct sigaction sa = {.sa_handler = on_child, .sa_flags = SA_NOCLDSTOP};
        sigaction(SIGCHLD, &sa, NULL);
        int rc = regions_init(t);
        if (rc == TARGET_OK)
                rc = printed_init(&t->printed, &t->spawn, &t->why);
        return rc == TARGET_OK ? spawn_init(&t->spawn, &t->why) : rc;
}

void target_fini(struct target *t)
{
        target_stop(t);
        if (t->down)
                munmap(t->down, sizeof(struct wire_down));
        if (t->up)
                munmap((void *)(uintptr_t)t->up, sizeof(struct wire_up));
        int fds[] = {t->down_fd, t->spawn.up_fd, t->spawn.down_ro_fd};
        for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
                if (fds[i] >= 0)
                        close(fds[i]);
        }
        printed_fini(&t->printed);
        spawn_fini(&t->spawn);
        *t = (struct target){.down_fd = -1, .spawn = {.down_ro_fd = -1, .up_fd = -1, .stdin_fd = -1, .helpers_fd = -1}};
}

int target_renew(struct target *t)
{
        struct wire_down *old_down = t->down;
        int old[] = {t->down_fd, t->spawn.up_fd, t->spawn.down_ro_fd}, holes = fcntl(t->down_fd, F_DUPFD_CLOEXEC, 0);
        int rc;

        for (size_t i = 0; i < sizeof(old) / sizeof(old[0]); i++)
                close(old[i]);
        munmap((void *)(uintptr_t)t->up, sizeof(struct wire_up));
        t->up = NULL;
        t->pid = 0;
        t->starts = t->starts ? t->starts : 1; /* where it runs is decided */
        rc = regions_init(t);
        if (rc == TARGET_OK)
                rc = printed_init(&t->printed, &t->spawn, &t->why);
        if (rc != TARGET_OK)
                return rc;
        region_copy(t->down, old_down, offsetof(struct wire_down, sleep), holes);
        if (holes >= 0)
                close(holes);
        memcpy(t->down->shared, old_down->shared, old_down->n_shared * sizeof(*old_down->shared));
        memcpy(t->down->loops, old_down->loops, old_down->n_loops * sizeof(*old_down->loops));
        munmap(old_down, sizeof(*old_down));
        if (t->down_fd != old[0] || t->spawn.up_fd != old[1] || t->spawn.down_ro_fd != old[2])
                return error_set(&t->why, TARGET_FAIL, "a worker got other descriptors than the first one");
        return TARGET_OK;
}

static long futex(const uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
        return syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

static bool answered(const struct target *t)
{
        return __atomic_load_n(&t->up->seq, __ATOMIC_ACQUIRE) == t->up_seq + 1;
}

/* What is known of a wait that did not end at once. */
struct watch {
        bool starting; /* for the runtime's report, not for an execution's */
        bool begun;    /* the other fields are valid */
        bool signalled;
        bool again; /* ... twice */
        uint32_t n_events;
        double since;     /* of the last sign of progress, or of the signal */
        double since_cpu; /* the same in processor time of the target */
        double stopped;   /* when it was seen stopped by a signal; 0: it is not */
};

static double target_cpu(const struct target *t)
{
        struct timespec ts;
        clockid_t id;

        if (t->pid <= 0 || clock_getcpuclockid(t->pid, &id) || clock_gettime(id, &ts))
                return 0;
        return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* True if the target is gone; pid is 0 then and `why` says how it ended. */
static bool reaped(struct target *t)
{
        int status = 0;
        pid_t pid = waitpid(t->pid, &status, WNOHANG);
        if (pid == 0 || (pid < 0 && errno == EINTR))
                return false;
        t->pid = 0;
        t->signal = pid > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        if (pid > 0 && WIFSIGNALED(status))
                error_set(&t->why, TARGET_DIED, "a signal ended the process");
        else if (pid > 0)
                error_set(&t->why, TARGET_DIED, "exited with status %d", WEXITSTATUS(status));
        else
                error_set(&t->why, TARGET_DIED, "lost: %s", strerror(errno));
        return true;
}

/* True if the target was stopped by a signal, and stays so: nothing will let it continue.  It is gone then. */
static bool halted(struct target *t, struct watch *w)
{
        siginfo_t info = {.si_pid = 0};

        if (waitid(P_PID, (id_t)t->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
                w->stopped = 0;
                return false;
        }
        if (!w->stopped)
                w->stopped = clock_now();
        if (clock_now() - w->stopped < STOPPED_SECONDS)
                return false;
        target_stop(t);
        t->signal = info.si_status;
        error_set(&t->why, TARGET_DIED, "stopped by signal %d", info.si_status);
        return true;
}

/* How long the target has had no progress: the processor time it used meanwhile, since a busy machine may keep it waiting;
 * a target that sleeps in a system call counts a tenth of the time that passes. */
static double standstill(const struct target *t, const struct watch *w)
{
        double wall = clock_now() - w->since, cpu = target_cpu(t) - w->since_cpu;

        if (w->starting || w->signalled || t->isolate == WIRE_ISOLATE_FORK)
                return wall;
        return cpu > wall / 10 ? cpu : wall / 10;
}

/* No progress for too long: first ask the runtime to end the execution, then give up. */
static int watch_progress(struct target *t, struct watch *w)
{
        uint32_t n_events = __atomic_load_n(&t->up->n_events, __ATOMIC_RELAXED);
        double limit = w->starting ? START_SECONDS : t->config->loop_seconds;

        if (!w->begun || n_events != w->n_events) {
                *w = (struct watch){.starting = w->starting,
                                    .begun = true,
                                    .stopped = w->stopped,
                                    .n_events = n_events,
                                    .since = clock_now(),
                                    .since_cpu = target_cpu(t)};
                return TARGET_OK;
        }
        if (limit <= 0)
                return TARGET_OK;
        bool pointless = !w->starting && __atomic_load_n(&t->up->n_new_shared, __ATOMIC_RELAXED) != 0;
        if (w->signalled)
                limit = GRACE_SECONDS + (pointless ? limit : 0);
        else if (pointless && limit > POINTLESS_SECONDS)
                limit = POINTLESS_SECONDS; /* this run does not count: it is made again with more memory watched */
        else if (!w->starting && !__atomic_load_n(&t->up->running, __ATOMIC_RELAXED))
                limit += RESTORE_SECONDS;
        if (w->signalled && !w->again &&
            (target_cpu(t) - w->since_cpu >= AGAIN_SECONDS || clock_now() - w->since >= GRACE_SECONDS / 2)) {
                kill(t->pid, WIRE_LOOP_SIGNAL);
                w->again = true;
        }
        if (standstill(t, w) < limit)
                return TARGET_OK;
        if (!w->starting && !w->signalled) {
                kill(t->pid, WIRE_LOOP_SIGNAL);
                w->signalled = true;
                w->since = clock_now();
                w->since_cpu = target_cpu(t);
                return TARGET_OK;
        }
        target_stop(t);
        error_set(&t->why, TARGET_DIED, "no answer for %.3g seconds",
                  w->starting ? START_SECONDS : t->config->loop_seconds);
        return TARGET_LOOP;
}

/* The word that we sleep comes before the last look at seq: the target looks at it after its answer is in place. */
static void sleep_for_answer(struct target *t)
{
        static const struct timespec slice = {.tv_nsec = SLICE_NS};
        uint32_t seq;

        __atomic_store_n(&t->down->waits, 1, __ATOMIC_SEQ_CST);
        seq = __atomic_load_n(&t->up->seq, __ATOMIC_SEQ_CST);
        if (seq != t->up_seq + 1)
                futex(&t->up->seq, FUTEX_WAIT, seq, &slice);
        __atomic_store_n(&t->down->waits, 0, __ATOMIC_SEQ_CST);
}

/* Is the number of answers one that no runtime writes?  Then no answer can come. */
static bool overwritten(const struct target *t)
{
        uint32_t seq = __atomic_load_n(&t->up->seq, __ATOMIC_ACQUIRE);

        return seq != t->up_seq && seq != t->up_seq + 1;
}

/*
 * Yields to the target.  On a core that a third process wants, each yield costs a time slice of that process, while the
 * scheduler favours one that sleeps and is woken.  So after a yield that took long both sides sleep at once for a while.
 */
static void yield(struct target *t)
{
        double began;

        t->down->crowded = t->crowded != 0;
        if (t->crowded) {
                t->crowded--;
                return;
        }
        began = clock_now();
        for (int i = 0; i < WIRE_YIELDS && !answered(t); i++)
                sched_yield();
        if (clock_now() - began > CROWDED_SECONDS)
                t->crowded = CROWDED_TURNS;
}

/* The target waits for us, if it does, inside an execution. */
static int serve(struct target *t, struct watch *w)
{
        int rc = TARGET_OK;

        if (__atomic_load_n(&t->up->asks, __ATOMIC_SEQ_CST) != t->down->served + 1)
                return TARGET_OK;
        if (t->serve)
                rc = t->serve(t->serve_arg);
        if (rc != TARGET_OK) {
                target_stop(t);
                return rc;
        }
        w->begun = false;
        __atomic_store_n(&t->down->served, t->down->served + 1, __ATOMIC_SEQ_CST);
        futex(&t->down->served, FUTEX_WAKE, 1, NULL);
        return TARGET_OK;
}

/* Waits for the next answer.  On TARGET_OK it is in place, but the target may be gone. */
static int wait_answer(struct target *t, bool starting)
{
        struct watch watch = {.starting = starting};

        yield(t);
        for (;;) {
                if (!answered(t))
                        sleep_for_answer(t);
                if (answered(t)) {
                        t->up_seq++;
                        return TARGET_OK;
                }
                if (late()) {
                        target_stop(t);
                        return TARGET_INTR;
                }
                if (t->pid == 0)
                        return TARGET_DIED;
                if (overwritten(t)) {
                        target_stop(t);
                        return error_set(&t->why, TARGET_DIED, "overwrote what it shares with heddle");
                }
                /* Its last word may have come between the look above and its death: look once more. */
                if (reaped(t))
                        continue;
                if (halted(t, &watch))
                        return TARGET_DIED;
                int rc = serve(t, &watch);
                if (rc == TARGET_OK)
                        rc = watch_progress(t, &watch);
                if (rc != TARGET_OK)
                        return rc;
        }
}

/* Both sides count from 0 again; nothing that the last target left in `up` must look like an answer. */
int target_reset(struct target *t)
{
        if (fallocate(t->spawn.up_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, sizeof(struct wire_up)) != 0)
                return spawn_error(&t->why, "cannot reset shared memory");
        struct wire_down *d = t->down;
        d->magic = WIRE_MAGIC;
        d->version = WIRE_VERSION;
        d->preempt = t->blocks ? WIRE_PREEMPT_SYNC : WIRE_PREEMPT_ALL;
        d->hand_off = t->config->hand_off;
        d->share_from = t->config->share_from;
        d->memory = t->config->memory;
        d->posix_fences = t->config->posix_fences;
        d->isolate = t->isolate;
        d->pool = t->pool;
        d->stack_kb = d->stack_kb ? d->stack_kb : STACK_KB;
        d->heap_mb = t->config->heap_mb;
        core_publish(&t->core, d);
        d->output = t->spawn.out_fd >= 0 || t->spawn.err_fd >= 0;
        d->order_output = t->config->outputs == OUTPUTS_ON;
        d->seed = t->config->seed;
        d->timeouts = t->config->timeouts;
        d->nondet = t->config->nondet;
        d->spurious = t->config->spurious;
        d->helpers = t->config->helpers;
        d->signals = t->config->signals;
        d->txn = t->config->txn;
        memcpy(d->wakeup, t->config->wakeup, sizeof(d->wakeup));
        t->up_seq = d->waits = d->served = 0;
        __atomic_store_n(&d->seq, 0, __ATOMIC_RELEASE);
        return TARGET_OK;
}

int target_start(struct target *t)
{
        target_stop(t);
        if (t->pin && t->starts == 0)
                core_pin(&t->core);
        int rc = target_reset(t);
        if (rc == TARGET_OK)
                rc = spawn_start(&t->spawn, &t->pid, &t->why);
        if (rc != TARGET_OK)
                return rc;
        t->starts++;
        t->fresh = true;
        rc = wait_answer(t, true);
        if (rc == TARGET_OK && (t->up->magic != WIRE_MAGIC || t->up->version != WIRE_VERSION)) {
                target_stop(t);
                return error_set(&t->why, TARGET_FAIL, "%s speaks another protocol: install it again",
                                 t->config->runtime);
        }
        if (rc == TARGET_DIED && t->starts > 1)
                return rc; /* it came up before: it was killed */
        if (rc == TARGET_DIED || rc == TARGET_LOOP)
                return error_set(&t->why, TARGET_FAIL, "%.300s: %.63s before the runtime was up (statically linked?)",
                                 t->config->program, t->why.text);
        return rc;
}

void target_stop(struct target *t)
{
        if (t->pid == 0)
                return;
        kill(t->pid, SIGKILL);
        while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
                ;
        t->pid = 0;
}

/* It has said that it ends: let it, for what it still has to write out, but not forever. */
static void await_end(struct target *t)
{
        static const struct timespec pause = {.tv_nsec = 1000000};
        double end = clock_now() + GRACE_SECONDS;
        while (t->pid != 0 && !reaped(t) && !loop_interrupted && clock_now() < end)
                nanosleep(&pause, NULL);
        target_stop(t);
}

int target_run(struct target *t)
{
        for (int i = 0; t->pid == 0; i++) {
                int rc = target_start(t);
                if (rc != TARGET_OK && (rc != TARGET_DIED || i == START_TRIES))
                        return rc;
        }
        t->fresh = false;
        if (printed_empty(&t->printed, t->down->flags & WIRE_DETAIL, &t->why) != TARGET_OK)
                return TARGET_FAIL;
        __atomic_store_n(&t->down->seq, t->down->seq + 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&t->up->waits, __ATOMIC_SEQ_CST))
                futex(&t->down->seq, FUTEX_WAKE, 1, NULL);
        int rc = wait_answer(t, false);
        if (rc == TARGET_OK && t->up->final)
                await_end(t);
        return rc;
}
