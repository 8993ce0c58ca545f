/*
 * Failures of a recorded program, each noted where it happens: a failed assertion, a deadly signal, an exit with a status other
 * than 0.  Afterwards the program dies as it would without the recorder.  On SIGUSR2 and by heddle_record_dump() the recording is
 * written while the program runs on.
 */
#include "rt/record/failure.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "rt/record/recorder.h"

#define DUMP_WAITS 2000 /* milliseconds */
#define OWN_FRAMES 8

static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

/* The call stack, innermost first, from `site` on: what comes before it is ours, or the kernel's. */
static void note_stack(uintptr_t site)
{
        void *all[REC_MAX_STACK + OWN_FRAMES];
        int n = backtrace(all, REC_MAX_STACK + OWN_FRAMES), first = 0;

        for (int i = 0; i < n && !first; i++)
                if ((uintptr_t)all[i] == site)
                        first = i;
        rec->n_stack = 0;
        rec->stack[rec->n_stack++] = site;
        for (int i = first + 1; i < n && rec->n_stack < REC_MAX_STACK; i++)
                rec->stack[rec->n_stack++] = (uint64_t)(uintptr_t)all[i];
}

static void copy_text(char *to, const char *from)
{
        size_t n = from ? strnlen(from, REC_TEXT - 1) : 0;

        memcpy(to, from ? from : "", n);
        to[n] = '\0';
}

static void *real__exit, *real__Exit, *real_quick_exit, *real_sigaction;

bool failure_is_deadly(int sig)
{
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
                if (deadly[i] == sig)
                        return true;
        return false;
}

void failure_assertion(const char *condition, const char *file, unsigned line, const char *function, uintptr_t site)
{
        if (!recorder_fails(REC_ASSERTION))
                return;
        rec->line = line;
        copy_text(rec->condition, condition);
        copy_text(rec->file, file);
        copy_text(rec->function, function);
        note_stack(site);
        recorder_freeze();
}

/* site 0: by a signal, in whichever thread the kernel chose. */
static void dump(uintptr_t site)
{
        if (!recorder_fails(REC_DUMP))
                return;
        rec->line = 0;
        rec->n_stack = 0;
        if (site)
                note_stack(site);
        else
                rec->thread = REC_MAX_THREADS;
        recorder_freeze();
        uint32_t n = __atomic_add_fetch(&rec->dumps, 1, __ATOMIC_ACQ_REL);
        for (int i = 0; i < DUMP_WAITS && __atomic_load_n(&rec->dumped, __ATOMIC_ACQUIRE) != n; i++)
                nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

RT_EXPORT void heddle_rt_record_dump(void);
void heddle_rt_record_dump(void)
{
        dump(RT_SITE());
}

static void on_dump(int sig)
{
        int e = errno;

        (void)sig;
        dump(0);
        errno = e;
}

/* Where the signal struck, and the frames above it; then the signal again, with its default action. */
static void on_deadly(int sig, siginfo_t *info, void *context)
{
        const greg_t *r = ((const ucontext_t *)context)->uc_mcontext.gregs;

        if (recorder_fails(sig == SIGABRT ? REC_ABORT : REC_CRASH)) {
                rec->signal = (uint32_t)sig;
                rec->address = (uint64_t)(uintptr_t)info->si_addr;
                note_stack((uintptr_t)r[REG_RIP]);
                recorder_freeze();
        }
        signal(sig, SIG_DFL);
        raise(sig);
}

static void exits(int status)
{
        if (!rec)
                return;
        if (status && recorder_fails(REC_EXIT)) {
                rec->signal = (uint32_t)status;
                rec->n_stack = 0;
                recorder_freeze();
        }
}

static void on_exit_status(int status, void *arg)
{
        (void)arg;
        exits(status);
}

#define EXITS(name)                      \
        RT_EXPORT void name(int status)  \
        {                                \
                exits(status);           \
                REC_REAL(name)(status);  \
                __builtin_unreachable(); \
        }

EXITS(_exit)
EXITS(_Exit)
EXITS(quick_exit)

void failure_watch(void)
{
        struct sigaction sa = {.sa_sigaction = on_deadly, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}, old;
        struct sigaction dump = {.sa_handler = on_dump, .sa_flags = SA_RESTART};

        void *first;

        if (!rec)
                return;
        backtrace(&first, 1); /* loads what it needs, which a handler must not */
        for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
                REC_REAL(sigaction)(deadly[i], &sa, NULL);
        if (!REC_REAL(sigaction)(SIGUSR2, NULL, &old) && old.sa_handler == SIG_DFL)
                REC_REAL(sigaction)(SIGUSR2, &dump, NULL);
        on_exit(on_exit_status, NULL); /* registered before the program's handlers, it comes behind them */
}
