/*
 * Signal handlers of a recorded program.  A signal comes anywhere, also where a function has bits of the path in a register: so what
 * a handler does is not recorded, and the path of its thread continues behind it.  Handlers of signals that the program raises by
 * a fault are recorded: there the bits are stored.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>

#include "rt/record/failure.h"
#include "rt/record/recorder.h"

#define SIGNALS 65

typedef void plain_handler(int);
typedef void info_handler(int, siginfo_t *, void *);

static void *real_sigaction, *real_longjmp, *real__longjmp, *real_siglongjmp, *real___longjmp_chk;
static struct sigaction actions[SIGNALS]; /* as the program asked for them */

static void run(int sig, siginfo_t *info, void *context)
{
        struct sigaction a = actions[sig];
        struct rec_thread *thread = recorder_pause();

        if (a.sa_flags & SA_SIGINFO)
                ((info_handler *)a.sa_sigaction)(sig, info, context);
        else
                ((plain_handler *)a.sa_handler)(sig);
        recorder_continue(thread);
}

static bool is_wrapped(const struct sigaction *a)
{
        return a->sa_flags & SA_SIGINFO && a->sa_sigaction == run;
}

RT_EXPORT int sigaction(int sig, const struct sigaction *restrict new, struct sigaction *restrict old)
{
        struct sigaction wrapper, before, asked;
        int e;

        if (!rec || sig < 1 || sig >= SIGNALS || failure_is_deadly(sig))
                return REC_REAL(sigaction)(sig, new, old);
        before = actions[sig];
        if (new) {
                asked = wrapper = *new;
                if (new->sa_handler != SIG_DFL &&new->sa_handler != SIG_IGN) {
                        wrapper.sa_sigaction = run;
                        wrapper.sa_flags |= SA_SIGINFO;
                        actions[sig] = asked; /* before it may run */
                }
        }
        e = REC_REAL(sigaction)(sig, new ? &wrapper : NULL, old);
        if (e)
                actions[sig] = before;
        if (!e && old && is_wrapped(old))
                *old = before;
        return e;
}

static plain_handler *set_handler(int sig, plain_handler *handler, int flags)
{
        struct sigaction a = {.sa_handler = handler, .sa_flags = flags}, old;

        return sigaction(sig, &a, &old) ? SIG_ERR : old.sa_handler;
}

RT_EXPORT plain_handler *signal(int sig, plain_handler *handler)
{
        return set_handler(sig, handler, SA_RESTART);
}

/* signal() of programs that ask for the C standard alone. */
RT_EXPORT plain_handler *__sysv_signal(int sig, plain_handler *handler)
{
        return set_handler(sig, handler, (int)SA_RESETHAND | SA_NODEFER);
}

/* A handler may be left by a jump. */
#define JUMPS(name, type)                                  \
        RT_EXPORT _Noreturn void name(type at, int value); \
        void name(type at, int value)                      \
        {                                                  \
                recorder_continue(NULL);                   \
                REC_REAL(name)(at, value);                 \
                __builtin_unreachable();                   \
        }

JUMPS(longjmp, jmp_buf)
JUMPS(_longjmp, jmp_buf)
JUMPS(siglongjmp, sigjmp_buf)
JUMPS(__longjmp_chk, jmp_buf)
