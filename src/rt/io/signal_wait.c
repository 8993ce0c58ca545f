/*
 * Signals that one thread sends and another accepts: pthread_kill, kill and sigqueue with sigwait and its relatives.
 *
 * A signal is a message.  Each number has an object for the process and one for each thread (signal_object); to send is to write
 * it, to wait is to poll those of the set, and to accept is to write the one that has come.  The messages are in `ex`, in the
 * order in which they were sent; of a standard signal there is one at a time.
 *
 * Only signals that the receiver blocks, or waits for, are sent so.  One that would run a handler in another thread is refused.
 */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/fault.h"
#include "rt/io/channel.h"
#include "rt/io/poll.h"
#include "rt/io/signal_object.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/failure.h"
#include "rt/sched/operation.h"
#include "rt/thread/handle.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"
#include "rt/world/own_signals.h"
#include "rt/world/signal_state.h"
#include "rt/world/time.h"

#define FIRST_QUEUED 34 /* real-time signals: each one counts */

struct waiting { /* a call of sigwait */
        uint64_t set;
        struct signal_message got;
        struct pollfd asked[2 * SIGNALS];
        uint32_t n;
};

static bool waits_for(const struct thread *n, uint32_t owner, int sig)
{
        const struct pollfd *fds = n->poll.fds;

        for (uint32_t i = 0; n->poll.waiting && fds && i < n->poll.n; i++)
                if (fds[i].fd == SIGNAL_FD(owner, sig))
                        return true;
        return false;
}

static void queue(uint32_t owner, int sig, int code, uint64_t value)
{
        for (uint32_t i = 0; sig < FIRST_QUEUED && i < ex.n_messages; i++)
                if (ex.messages[i].owner == owner && ex.messages[i].sig == sig)
                        return;
        if (ex.n_messages == EX_MESSAGES)
                rt_refuse("more than 16 signals that wait to be accepted");
        ex.messages[ex.n_messages++] = (struct signal_message){value, (uint16_t)owner, (uint8_t)sig, (int8_t)code};
}

static void send_to(uint32_t owner, int sig, int code, uint64_t value, uintptr_t site)
{
        const struct effect action = EFFECT_USE(STATE_SIGNAL + (uint32_t)sig);
        struct thread *t = rt_cur;
        enum arrival how;

        t->turn.also_shared = effect_touch(t, &action, 1);
        how = op_arrive(t, OP_SIGNAL_SEND, signal_object(owner, sig), 8, NULL, site);
        t->turn.also_shared = false;
        op_log(t, how, WIRE_MODE_WRITE, 0);
        effect_log(t, how, &action, 1);
        queue(owner, sig, code, value);
        channel_used(t, how, signal_object(owner, sig));
}

static bool blocks(const struct thread *n, int sig)
{
        return (n->signals.mask & signal_bit(sig)) != 0;
}

/* To one thread; returns an error number. */
static int send_thread(pthread_t handle, int sig, int code, uint64_t value, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);

        if (!n || n->handle.joined)
                return ESRCH;
        if (sig < 0 || sig > 64)
                return EINVAL;
        if (!sig)
                return 0;
        if (n == rt_cur && (code == SI_TKILL || !blocks(n, sig)))
                return raise(sig) ? errno : 0; /* if it is blocked, later */
        if (signal_is_own(sig) || (!blocks(n, sig) && !waits_for(n, n->id, sig)))
                rt_refuse("a signal to another thread that does not block it (block it there and use sigwait)");
        send_to(n->id, sig, code, value, site);
        return 0;
}

RT_EXPORT int pthread_kill(pthread_t handle, int sig)
{
        return rt_cur ? send_thread(handle, sig, SI_TKILL, 0, RT_SITE()) : RT_REAL(pthread_kill)(handle, sig);
}

RT_EXPORT int pthread_sigqueue(pthread_t handle, int sig, const union sigval value)
{
        if (!rt_cur)
                return RT_REAL(pthread_sigqueue)(handle, sig, value);
        return send_thread(handle, sig, SI_QUEUE, (uint64_t)(uintptr_t)value.sival_ptr, RT_SITE());
}

/* Is the signal to the process one that waits to be accepted?  Else the caller itself takes it. */
static bool is_accepted(int sig)
{
        bool waited = false, open = false;

        if (sig <= 0 || sig > 64 || signal_is_own(sig) || !rt.live || !rt.accepts_signals)
                return false;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].state != WIRE_T_UNUSED && threads[i].state != WIRE_T_DONE) {
                        waited |= waits_for(&threads[i], SIGNAL_PROCESS, sig);
                        open |= !blocks(&threads[i], sig);
                }
        if (blocks(rt_cur, sig) && !waited && open && signal_caught(sig))
                rt_refuse("a signal to the process that another thread handles (block it there and use sigwait)");
        return waited || blocks(rt_cur, sig);
}

RT_EXPORT int kill(pid_t pid, int sig)
{
        if (rt_cur && pid == getpid() && is_accepted(sig)) {
                send_to(SIGNAL_PROCESS, sig, SI_USER, 0, RT_SITE());
                return 0;
        }
        if (sig > 0 && sig <= 64)
                effect_one(EFFECT_USE(STATE_SIGNAL + (uint32_t)sig), RT_SITE());
        return RT_REAL(kill)(pid, sig);
}

RT_EXPORT int sigqueue(pid_t pid, int sig, const union sigval value)
{
        if (rt_cur && pid == getpid() && is_accepted(sig)) {
                send_to(SIGNAL_PROCESS, sig, SI_QUEUE, (uint64_t)(uintptr_t)value.sival_ptr, RT_SITE());
                return 0;
        }
        if (sig > 0 && sig <= 64)
                effect_one(EFFECT_USE(STATE_SIGNAL + (uint32_t)sig), RT_SITE());
        return RT_REAL(sigqueue)(pid, sig, value);
}

/* Accepting. */

static bool take_own(struct thread *t, struct waiting *w)
{
        uint64_t ready = t->signals.pending & w->set;

        for (int sig = 1; ready && sig < SIGNALS; sig++)
                if (ready & signal_bit(sig)) {
                        t->signals.pending &= ~signal_bit(sig);
                        w->got = (struct signal_message){0, (uint16_t)t->id, (uint8_t)sig, SI_TKILL};
                        return true;
                }
        return false;
}

/* The one with the lowest number; of one number, that to the thread, and the first. */
static int look(void *arg)
{
        struct waiting *w = arg;
        struct thread *t = rt_cur;
        uint32_t best = UINT32_MAX;

        if (take_own(t, w))
                return 1;
        for (uint32_t i = 0; i < ex.n_messages; i++) {
                const struct signal_message *m = &ex.messages[i], *b = &ex.messages[best % EX_MESSAGES];

                if ((m->owner != t->id && m->owner != SIGNAL_PROCESS) || !(w->set & signal_bit(m->sig)))
                        continue;
                if (best == UINT32_MAX || m->sig < b->sig || (m->sig == b->sig && m->owner < b->owner))
                        best = i;
        }
        if (best == UINT32_MAX)
                return 0;
        w->got = ex.messages[best];
        ex.n_messages--;
        for (uint32_t i = best; i < ex.n_messages; i++)
                ex.messages[i] = ex.messages[i + 1];
        return 1;
}

static uint64_t taken(void *arg, int r)
{
        const struct waiting *w = arg;

        return r > 0 ? signal_object(w->got.owner, w->got.sig) : 0;
}

/* Returns the signal, 0: the time is up. */
static int wait_for(const sigset_t *set, int timeout, siginfo_t *info, uintptr_t site)
{
        struct waiting w = {.n = 0};
        struct question q = {w.asked, 0, timeout, look, taken, &w};
        siginfo_t info_of;

        call_in(set, 8, site);
        rt_copy(&w.set, set, 8);
        for (int sig = 1; sig < SIGNALS; sig++)
                if (w.set & signal_bit(sig)) {
                        w.asked[w.n++].fd = SIGNAL_FD(rt_cur->id, sig);
                        w.asked[w.n++].fd = SIGNAL_FD(SIGNAL_PROCESS, sig);
                }
        q.n = w.n;
        if (!w.n || !poll_ask(&q, site))
                return 0;
        rt_zero(&info_of, sizeof info_of);
        info_of.si_signo = w.got.sig;
        info_of.si_code = w.got.code;
        info_of.si_pid = getpid();
        info_of.si_uid = getuid();
        info_of.si_value.sival_ptr = (void *)(uintptr_t)w.got.value;
        call_out(info, &info_of, sizeof info_of, site);
        return w.got.sig;
}

RT_EXPORT int sigwait(const sigset_t *set, int *sig)
{
        int got;

        if (!rt_cur)
                return RT_REAL(sigwait)(set, sig);
        got = wait_for(set, -1, NULL, RT_SITE());
        call_out(sig, &got, sizeof got, RT_SITE());
        return 0;
}

RT_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
        return rt_cur ? wait_for(set, -1, info, RT_SITE()) : RT_REAL(sigwaitinfo)(set, info);
}

RT_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
        uint64_t ns;
        int got, ms = -1;

        if (!rt_cur)
                return RT_REAL(sigtimedwait)(set, info, timeout);
        call_in(timeout, sizeof *timeout, RT_SITE());
        if (timeout) {
                ns = time_joined(timeout);
                if (ns == UINT64_MAX) {
                        errno = EINVAL;
                        return -1;
                }
                ms = ns / 1000000 < 1000000000 ? (int)((ns + 999999) / 1000000) : 1000000000;
        }
        got = wait_for(set, ms, info, RT_SITE());
        if (got)
                return got;
        errno = EAGAIN;
        return -1;
}
