/*
 * Signals that one thread sends to another: pthread_kill, kill and sigqueue; sigwait and its relatives.
 *
 * A signal is a message.  Each number has an object for the process and one for each thread (signal_object); to send is to write
 * it, to wait is to poll those of the set, and to accept is to write the one that has come.  The messages are in `ex`, in the
 * order in which they were sent; of a standard signal there is one at a time.
 *
 * A signal that the receiver neither blocks nor waits for runs its handler there (world/delivery.h).
 */
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/fault.h"
#include "rt/helper/children.h"
#include "rt/io/channel.h"
#include "rt/io/poll.h"
#include "rt/io/signal_fd.h"
#include "rt/io/signal_object.h"
#include "rt/io/signal_wait.h"
#include "rt/loops/spin.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/sched/tail.h"
#include "rt/sched/arrival.h"
#include "rt/sched/enabled.h"
#include "rt/sched/end.h"
#include "rt/sched/failure.h"
#include "rt/sched/operation.h"
#include "rt/thread/awaited.h"
#include "rt/thread/handle.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/txn/speculation.h"
#include "rt/util.h"
#include "rt/signal/delivery.h"
#include "rt/signal/mask_calls.h"
#include "rt/world/own_signals.h"
#include "rt/world/signal_state.h"
#include "rt/world/time.h"

struct waiting { /* a call of sigwait */
        uint64_t set;
        struct signal_message got;
        struct pollfd asked[2 * SIGNALS];
        uint32_t n;
};

/* Can it run a handler?  A thread whose end is all that is left no longer can. */
static bool is_there(const struct thread *n)
{
        return n->state != WIRE_T_UNUSED && n->state != WIRE_T_DONE && !thread_is_buffer(n) && n->pend.op != OP_END;
}

static bool blocks(const struct thread *n, int sig)
{
        return ((n->signals.mask | n->signals.awaited) & signal_bit(sig)) != 0;
}

/* It waits to be accepted: owner is a thread that blocks it, or the process. */
static void send_blocked(struct thread *t, enum arrival how, const struct signal_message *m)
{
        uint64_t object = signal_object(m->owner, m->sig);

        shadow_touch(t, object, 8);
        op_also(t, how, OP_SIGNAL_SEND, object, 8, WIRE_MODE_WRITE, 0);
        delivery_queue(m);
        channel_used(t, how, object);
        signal_fd_changed(t, how, m->sig, true);
}

/* The receiver is in a queue: the signal lets it go, unless it could continue anyway, perhaps because of another one. */
static void wake(struct thread *t, enum arrival how, struct thread *n, bool another)
{
        if (n->state == WIRE_T_SPIN)
                spin_interrupt(t, n);
        if (n == t || n->state != WIRE_T_READY || !delivery_queued(n))
                return;
        awaited_read(t, how, n, &n->pend);
        if (n->pend.op == OP_FUTEX_RETURN)
                op_also(t, how, OP_FUTEX_QUEUE, n->pend.obj, 8, WIRE_MODE_READ, 0);
        if (!another && !sched_proceeds(n))
                op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(n->id), 8, WIRE_MODE_NONE, 0)->choice = n->id;
}

/* The signal reaches its thread, in the sender's turn. */
static void reach(struct thread *t, enum arrival how, struct signal_message *m)
{
        const struct effect action = EFFECT_USE(STATE_SIGNAL + (uint32_t)m->sig);
        struct thread *n = &threads[m->owner];
        bool another;

        if (n != t || m->timer)
                shadow_share(SIGNAL_CELL(n->id));
        if (!is_there(n))
                return;
        if (blocks(n, m->sig)) {
                send_blocked(t, how, m);
                return;
        }
        if (signal_ignored(m->sig))
                return;
        if (!signal_caught(m->sig))
                delivery_ends(t, m->sig);
        if (ex.n_signals++ >= rt.down->signals) {
                rt_note_incomplete(REASON_SIGNALS, NULL);
                n->signals.due = true;
        }
        another = n->signals.ready;
        effect_touch(n, &action, 1); /* to run the handler, if it gets there before the action changes */
        delivery_queue(m);
        delivery_count(n);
        n->signals.fresh = true;
        wake(t, how, n, another);
        if (n == t && !m->timer)
                delivery_now(t);
}

static void send_to(uint32_t owner, int sig, int code, uint64_t value, uintptr_t site)
{
        const struct effect action = EFFECT_USE(STATE_SIGNAL + (uint32_t)sig);
        struct signal_message m = {.value = value, .owner = (uint16_t)owner, .sig = (uint8_t)sig, .code = (int8_t)code};
        struct thread *t = rt_cur;
        enum arrival how;

        t->turn.also_shared = effect_touch(t, &action, 1);
        how = op_arrive(t, OP_SIGNAL_SEND, SIGNAL_CELL(owner), 8, NULL, site);
        t->turn.also_shared = false;
        op_log(t, how, WIRE_MODE_WRITE, threads[owner].signals.ready);
        effect_log(t, how, &action, 1);
        m.at = t->clock.vtime;
        m.sent = ++threads[owner].signals.sent;
        reach(t, how, &m);
}

/* To one thread; returns an error number. */
static int send_thread(pthread_t handle, int sig, int code, uint64_t value, uintptr_t site)
{
        struct thread *n = thread_by_handle(handle);

        if (!n)
                return ESRCH;
        if (sig < 0 || sig > 64)
                return EINVAL;
        speculation_kernel(rt_cur);
        if (!sig)
                return 0;
        if (n == rt_cur && (code == SI_TKILL || !blocks(n, sig)))
                return raise(sig) ? errno : 0; /* if it is blocked, later */
        if (signal_is_own(sig))
                rt_refuse("a signal to another thread that stands for a crash (send another one)");
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

/* To the process. */

static bool has_cell(const struct thread *n)
{
        return n->state != WIRE_T_UNUSED && !thread_is_buffer(n);
}

static bool may_get(const struct thread *n, int sig)
{
        return is_there(n) && !blocks(n, sig);
}

/* The thread that gets it: main, unless it blocks it; then any other, which is a choice.  SIGNAL_PROCESS: all block it. */
static uint32_t receiver(int sig, uint32_t *n, uint32_t *c)
{
        uint32_t count = 0;

        *n = *c = 0;
        if (may_get(&threads[0], sig))
                return 0;
        for (uint32_t i = 1; i < ex.n_threads; i++)
                *n += may_get(&threads[i], sig);
        if (!*n)
                return SIGNAL_PROCESS;
        *c = *n > 1 ? op_choice(*n) : 0;
        for (uint32_t i = 1; i < ex.n_threads; i++)
                if (may_get(&threads[i], sig) && count++ == *c)
                        return i;
        return SIGNAL_PROCESS;
}

/* Who gets it depends on what all threads do before and after: it is a write of each cell. */
void signal_send_process(struct signal_message *m, uintptr_t site)
{
        const struct effect action = EFFECT_USE(STATE_SIGNAL + (uint32_t)m->sig);
        struct thread *t = rt_cur;
        struct wire_event *e;
        enum arrival how;
        uint32_t n, c, to;

        t->turn.also_shared = effect_touch(t, &action, 1);
        for (uint32_t i = 1; i < ex.n_threads; i++)
                t->turn.also_shared |= has_cell(&threads[i]) && shadow_touch(t, SIGNAL_CELL(i), 8);
        how = op_arrive(t, OP_SIGNAL_SEND, SIGNAL_CELL(0), 8, NULL, site);
        t->turn.also_shared = false;
        to = receiver(m->sig, &n, &c);
        m->owner = (uint16_t)to;
        e = op_log(t, how, WIRE_MODE_WRITE, threads[0].signals.ready);
        e->choice = c;
        e->next_choice = c + 1 < n ? c + 1 : WIRE_NO_CHOICE;
        for (uint32_t i = 1; i < ex.n_threads; i++)
                if (has_cell(&threads[i]))
                        op_also(t, how, OP_SIGNAL_SEND, SIGNAL_CELL(i), 8, WIRE_MODE_WRITE, threads[i].signals.ready);
        for (uint32_t i = 0; i < ex.n_threads; i++)
                threads[i].signals.sent++;
        effect_log(t, how, &action, 1);
        m->at += t->clock.vtime;
        m->sent = threads[to].signals.sent;
        if (to == SIGNAL_PROCESS)
                send_blocked(t, how, m);
        else
                reach(t, how, m);
}

/* Is it a matter of the program's own threads?  Else the kernel's. */
static bool is_ours(pid_t pid, int sig)
{
        if (!rt_cur || pid != getpid() || sig <= 0 || sig > 64 || signal_is_own(sig) || sig == SIGKILL ||
            sig == SIGSTOP)
                return false;
        if (blocks(rt_cur, sig))
                snapshot_ensure(); /* it waits for what follows */
        return rt.live && (rt.accepts_signals || ex.n_threads > 1 || blocks(rt_cur, sig));
}

RT_EXPORT int kill(pid_t pid, int sig)
{
        struct signal_message m = {.sig = (uint8_t)sig, .code = SI_USER};

        if (is_ours(pid, sig)) {
                signal_send_process(&m, RT_SITE());
                return 0;
        }
        if (rt_cur && child_is(pid))
                return 0; /* it has ended */
        if (sig > 0 && sig <= 64)
                effect_one(EFFECT_USE(STATE_SIGNAL + (uint32_t)sig), RT_SITE());
        return RT_REAL(kill)(pid, sig);
}

RT_EXPORT int sigqueue(pid_t pid, int sig, const union sigval value)
{
        struct signal_message m = {
                .sig = (uint8_t)sig, .code = SI_QUEUE, .value = (uint64_t)(uintptr_t)value.sival_ptr};

        if (is_ours(pid, sig)) {
                signal_send_process(&m, RT_SITE());
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
                        w->got = (struct signal_message){
                                .owner = (uint16_t)t->id, .sig = (uint8_t)sig, .code = SI_TKILL};
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

/* Returns the signal, 0: the time is up, -1: a handler ran. */
static int wait_for(const sigset_t *set, int timeout, siginfo_t *info, uintptr_t site)
{
        struct waiting w = {.n = 0};
        struct question q = {w.asked, 0, timeout, look, taken, &w};
        siginfo_t info_of;
        int r;

        call_in(set, 8, site);
        rt_copy(&w.set, set, 8);
        for (int sig = 1; sig < SIGNALS; sig++)
                if (w.set & signal_bit(sig)) {
                        w.asked[w.n++].fd = SIGNAL_FD(rt_cur->id, sig);
                        w.asked[w.n++].fd = SIGNAL_FD(SIGNAL_PROCESS, sig);
                }
        q.n = w.n;
        mask_await(w.set, site);
        r = w.n ? poll_ask(&q, site) : 0;
        rt_cur->signals.awaited = 0;
        delivery_settle(rt_cur);
        delivery_settled(rt_cur);
        if (r <= 0)
                return r;
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
        while ((got = wait_for(set, -1, NULL, RT_SITE())) < 0)
                continue;
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
        if (!got)
                errno = EAGAIN;
        return got ? got : -1;
}

/* Those that the thread blocks and that wait to be accepted: looking at them is an operation. */
static void look_at_pending(struct thread *t, uintptr_t site)
{
        const uint32_t owners[] = {t->id, SIGNAL_PROCESS};
        uint64_t first = 0, object;
        enum arrival how;

        for (uint32_t i = 0; i < 2 * SIGNALS; i++) {
                object = signal_object(owners[i % 2], (int)i / 2);
                if (!(t->signals.mask & signal_bit((int)i / 2)))
                        continue;
                first = first ? first : object;
                t->turn.also_shared |= shadow_touch(t, object, 8);
        }
        if (!first)
                return;
        how = op_arrive(t, OP_CHANNEL_POLL, first, 8, NULL, site);
        t->turn.also_shared = false;
        op_log(t, how, WIRE_MODE_READ, 0);
        for (uint32_t i = 0; i < 2 * SIGNALS; i++) {
                object = signal_object(owners[i % 2], (int)i / 2);
                if (object != first && (t->signals.mask & signal_bit((int)i / 2)) && shadow_is_shared(object))
                        op_also(t, how, OP_CHANNEL_POLL, object, 8, WIRE_MODE_READ, 0);
        }
}

RT_EXPORT int sigpending(sigset_t *set)
{
        uint64_t bits;
        int r;

        if (rt_cur)
                look_at_pending(rt_cur, RT_SITE());
        r = RT_REAL(sigpending)(set);
        if (r || !rt_cur)
                return r;
        rt_copy(&bits, set, sizeof bits);
        bits |= rt_cur->signals.pending;
        for (uint32_t i = 0; i < ex.n_messages; i++)
                if (!ex.messages[i].timer && blocks(rt_cur, ex.messages[i].sig) &&
                    (ex.messages[i].owner == rt_cur->id || ex.messages[i].owner == SIGNAL_PROCESS))
                        bits |= signal_bit(ex.messages[i].sig);
        rt_copy(set, &bits, sizeof bits);
        return r;
}
