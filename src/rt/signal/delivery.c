/*
 * See delivery.h.
 *
 * The handler itself is called by the kernel: the thread sends the signal to itself, so masks, flags and frames are those of a
 * native run (program_handler.c).  Memory that the handler and its own thread both touch counts as shared (RT_HANDLER), since the
 * handler can come between any two accesses.
 *
 * Where the operation has to wait, the handler runs inside it.  Then the call ends with EINTR, or it waits on, or the handler has come
 * just before the call; the last two look the same.
 */
#include "rt/signal/delivery.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "op/effect.h"
#include "rt/fault.h"
#include "rt/loops/spin.h"
#include "rt/loops/tracking.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/sched/tail.h"
#include "rt/sched/enabled.h"
#include "rt/sched/failure.h"
#include "rt/sync/object.h"
#include "rt/thread/awaited.h"
#include "rt/trace/log.h"
#include "rt/util.h"
#include "rt/weak/mm.h"
#include "rt/world/own_signals.h"

#define FIRST_QUEUED 34 /* real-time signals: each one counts */

enum arrives { NOW, LATER, INSIDE }; /* choice values where the operation can be performed */

/* Has it joined a queue, from which others let it go? */
static bool is_queued(const struct thread *t, uint32_t op)
{
        return op_has(op, OPF_RELOCKS) || op == OP_FUTEX_RETURN || op == OP_BARRIER_LEAVE || t->wait.queued ||
               (op == OP_CHANNEL_POLL && t->poll.waiting);
}

bool delivery_queued(const struct thread *t)
{
        return is_queued(t, t->pend.op);
}

static bool can_run(const struct thread *t, const struct signal_message *m)
{
        return m->owner == t->id && !((t->signals.mask | t->signals.awaited) & signal_bit(m->sig)) &&
               signal_caught(m->sig);
}

void delivery_count(struct thread *t)
{
        uint32_t n = 0;

        for (uint32_t i = 0; i < ex.n_messages; i++)
                n += can_run(t, &ex.messages[i]);
        t->signals.ready = (uint8_t)n;
        if (!n)
                t->signals.due = t->signals.fresh = false;
}

/* What arrives first: what was sent, before what a timer will send; the lowest number. */
static uint32_t first_message(const struct thread *t)
{
        uint32_t best = UINT32_MAX;

        for (uint32_t i = 0; i < ex.n_messages; i++) {
                const struct signal_message *m = &ex.messages[i], *b = &ex.messages[best % EX_MESSAGES];

                if (can_run(t, m) &&
                    (best == UINT32_MAX || m->timer < b->timer || (m->timer == b->timer && m->sig < b->sig)))
                        best = i;
        }
        return best;
}

static struct signal_message take(struct thread *t)
{
        uint32_t k = first_message(t);
        struct signal_message m = ex.messages[k], *at = &ex.messages[k];

        if (m.interval) { /* the timer runs again */
                at->limited = ex.n_signals++ >= rt.down->signals;
                at->at += m.interval;
                return m;
        }
        ex.n_messages--;
        for (uint32_t i = k; i < ex.n_messages; i++)
                ex.messages[i] = ex.messages[i + 1];
        return m;
}

void delivery_queue(const struct signal_message *m)
{
        for (uint32_t i = 0; m->sig < FIRST_QUEUED && !m->timer && i < ex.n_messages; i++)
                if (ex.messages[i].owner == m->owner && ex.messages[i].sig == m->sig && !ex.messages[i].timer)
                        return;
        if (ex.n_messages == EX_MESSAGES)
                rt_refuse("more than 16 signals that wait to be accepted");
        ex.messages[ex.n_messages++] = *m;
}

static bool stops(int sig)
{
        return sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

_Noreturn void delivery_ends(struct thread *t, int sig)
{
        rt_fail_signal(sig, t->pend.site,
                       stops(sig) ? "a signal that stops the process: it has no handler"
                                  : "a signal to another thread that ends the process: it has no handler");
}

/* Does it wait for a thread to accept it? */
static bool is_blocked(const struct signal_message *m)
{
        const struct thread *n = &threads[m->owner];

        return m->owner == SIGNAL_PROCESS || ((n->signals.mask | n->signals.awaited) & signal_bit(m->sig));
}

void delivery_settle(struct thread *t)
{
        uint32_t kept = 0;

        for (uint32_t i = 0; i < ex.n_messages; i++) {
                struct signal_message m = ex.messages[i];
                bool stays = m.owner != t->id || m.timer || is_blocked(&m) || signal_caught(m.sig);

                if (!stays && !signal_ignored(m.sig))
                        t->signals.ends = m.sig;
                if (stays)
                        ex.messages[kept++] = m;
        }
        ex.n_messages = kept;
        delivery_count(t);
}

void delivery_settled(struct thread *t)
{
        int sig = t->signals.ends;

        t->signals.ends = 0;
        if (sig)
                delivery_ends(t, sig);
}

/* Other threads may have been about to run its handler. */
static void note_forgotten(struct thread *t, enum arrival how, const struct signal_message *m)
{
        struct thread *n = &threads[m->owner];
        bool waits = is_blocked(m);
        uint64_t cell = waits ? signal_object(m->owner, m->sig) : SIGNAL_CELL(n->id);

        shadow_touch(t, cell, 8);
        op_also(t, how, OP_SIGNAL_SEND, cell, 8, WIRE_MODE_WRITE, 0);
        if (waits)
                return;
        n->signals.sent++;
        if (n != t && n->state != WIRE_T_DONE && !sched_proceeds(n)) /* nothing that it does later races with this */
                rt_note_incomplete(REASON_SIGNAL_FORGOTTEN, NULL);
}

void delivery_action(struct thread *t, enum arrival how, int sig)
{
        bool ignored = signal_ignored(sig), ends = false;
        uint32_t kept = 0;

        if (!ex.n_messages)
                return;
        for (uint32_t i = 0; i < ex.n_messages; i++) {
                struct signal_message m = ex.messages[i];

                if (m.sig != sig || m.timer || signal_caught(sig) || (!ignored && is_blocked(&m))) {
                        ex.messages[kept++] = m;
                        continue;
                }
                note_forgotten(t, how, &m);
                ends |= !ignored;
        }
        ex.n_messages = kept;
        for (uint32_t i = 0; i < ex.n_threads; i++)
                delivery_count(&threads[i]);
        if (ends)
                delivery_ends(t, sig);
}

/* The kernel calls the handler on the way back from this system call. */
static void call_handler(const struct signal_message *m)
{
        siginfo_t info;

        rt_zero(&info, sizeof info);
        info.si_signo = m->sig;
        info.si_code = !m->timer ? m->code : m->timer == 1 ? SI_KERNEL : SI_TIMER;
        info.si_pid = m->timer ? 0 : getpid();
        info.si_uid = m->timer ? 0 : getuid();
        info.si_value.sival_ptr = (void *)(uintptr_t)m->value;
        rt_syscall6(SYS_rt_tgsigqueueinfo, rt_syscall6(SYS_getpid, 0, 0, 0, 0, 0, 0),
                    rt_syscall6(SYS_gettid, 0, 0, 0, 0, 0, 0), m->sig, (long)&info, 0, 0);
}

static void keep(struct thread *t, struct delivery *d)
{
        *d = (struct delivery){.pend = t->pend,
                               .cancel = t->cancel,
                               .also_shared = t->turn.also_shared,
                               .waits = t->signals.waits,
                               .timed = t->signals.timed,
                               .interrupts = t->signals.interrupts,
                               .until = t->signals.until,
                               .deadline = t->wait.deadline,
                               .via = t->stack.via};
}

static void give_back(struct thread *t, const struct delivery *d)
{
        bool requested = t->cancel.requested;

        t->pend = d->pend;
        t->cancel = d->cancel;
        t->cancel.requested = requested;
        t->cancel.interrupted = requested && d->cancel.at_point;
        t->turn.also_shared = d->also_shared;
        t->signals.waits = d->waits;
        t->signals.timed = d->timed;
        t->signals.interrupts = d->interrupts;
        t->signals.until = d->until;
        t->wait.deadline = d->deadline;
        t->stack.via = d->via;
}

static void set_tag(struct thread *t, bool handler)
{
        t->tag = (uint16_t)(handler ? t->tag | RT_HANDLER : t->tag & ~RT_HANDLER);
        if (t->fast_mark != RT_MARK_NONE)
                position_mark(t, sched_fast_mark(t));
}

static void run_handler(struct thread *t, const struct delivery *d)
{
        struct signal_message m = take(t);

        if (m.at > t->clock.vtime)
                t->clock.vtime = m.at;
        delivery_count(t);
        t->signals.waits |= is_queued(t, d->pend.op);
        t->signals.interrupts = INTERRUPTS_NEVER;
        t->signals.timed = false;
        t->signals.until = 0;
        t->turn.also_shared = t->cancel.at_point = t->cancel.interrupted = false;
        if (!t->signals.depth++) {
                t->signals.sp = (uintptr_t)__builtin_frame_address(0);
                set_tag(t, true);
        }
        call_handler(&m);
        if (t->signals.depth && !--t->signals.depth)
                set_tag(t, false);
        spin_progress(t);
        t->signals.interrupted = d->interrupts >= INTERRUPTS_ALWAYS ||
                                 (d->interrupts == INTERRUPTS_RESTARTS && !(signal_flags(m.sig) & SA_RESTART));
        give_back(t, d);
        delivery_count(t);
        delivery_settled(t);
}

/* Which values has the choice?  0: none, the handler runs now. */
static uint32_t alternatives(const struct thread *t, const struct signal_message *m, const struct pending *p, bool able)
{
        bool ends = t->signals.interrupts >= INTERRUPTS_ALWAYS ||
                    (t->signals.interrupts == INTERRUPTS_RESTARTS && !(signal_flags(m->sig) & SA_RESTART));

        if (t->signals.spins)
                return 0;
        if (!able)
                return ends && t->signals.interrupts != INTERRUPTS_ONLY && !is_queued(t, p->op) ? 2 : 0;
        if (t->signals.until)
                return m->at <= t->signals.until ? 2 : 3;
        if (t->signals.due && !m->timer)
                return 0;
        return ends && t->signals.timed ? 3 : 2;
}

/* Which value has the choice?  A replay knows the positions where handlers run. */
static uint32_t choose(const struct thread *t, uint32_t n, uint32_t later, bool able)
{
        uint32_t c;

        if (!rt.segments)
                return n ? op_choice(n) : 0;
        if (tail_signal(t, &c)) {
                tail_signal_taken();
                return c;
        }
        return able && !t->signals.spins ? later : 0;
}

static void note_awaited(struct thread *t, const struct pending *p)
{
        if (p->op == OP_JOIN) {
                shadow_touch(t, p->obj, 8);
                op_also(t, ARRIVE_EVENT, OP_TRYJOIN, p->obj, 8, WIRE_MODE_READ, thread_has_ended(&threads[p->peer]));
        } else if (op_may_wait(p->op)) {
                awaited_read(t, ARRIVE_EVENT, t, p);
        }
}

bool delivery_over(struct thread *t, bool able)
{
        if (!ex.messages[first_message(t)].limited)
                return false;
        if (!able || t->signals.until || t->signals.spins)
                thread_cut(t, REASON_SIGNALS);
        rt_note_incomplete(REASON_SIGNALS, NULL);
        return true;
}

bool delivery_decide(struct thread *t, bool able)
{
        struct signal_message *m = &ex.messages[first_message(t)];
        uint64_t action = WIRE_OBJ_STATE(STATE_SIGNAL + (uint32_t)m->sig);
        struct delivery d;
        struct wire_event *e;
        uint32_t n, c;
        bool sleeps = t->signals.until != 0, inside, later;

        keep(t, &d);
        if (mm_is_weak())
                rt_refuse("a signal handler that another thread or a timer starts under --memory tso or pso");
        n = alternatives(t, m, &d.pend, able);
        t->pend = (struct pending){.op = OP_SIGNAL_POINT, .obj = SIGNAL_CELL(t->id), .size = 8, .site = d.pend.site};
        c = choose(t, n, sleeps ? 2 : LATER, able);
        if (sleeps) /* the sleep is cut short, or the handler came before it, or comes later */
                inside = c == 0;
        else
                inside = able ? c == INSIDE : c == 0;
        later = able && c == (sleeps ? 2 : LATER);
        e = op_log(t, ARRIVE_EVENT, later ? WIRE_MODE_READ : WIRE_MODE_WRITE,
                   t->signals.ready == 1 && m->sent == t->signals.sent);
        e->choice = c;
        e->next_choice = c + 1 < n ? c + 1 : WIRE_NO_CHOICE;
        note_awaited(t, &d.pend);
        if (later) { /* at the latest on the way back from the kernel */
                t->signals.due = t->signals.fresh = op_has(d.pend.op, OPF_KERNEL);
                t->pend = d.pend;
                return false;
        }
        op_also(t, ARRIVE_EVENT, OP_SIGNAL_TAKE, SIGNAL_CELL(t->id), 8, WIRE_MODE_WRITE, 0);
        shadow_use(t, action, WIRE_MODE_READ);
        op_also(t, ARRIVE_EVENT, OP_STATE_USE, action, 8, WIRE_MODE_READ, 0);
        t->signals.spins = false;
        run_handler(t, &d);
        t->signals.interrupted &= inside;
        return true;
}

void delivery_gone(struct thread *t)
{
        struct pending p = t->pend;

        t->pend = (struct pending){.op = OP_SIGNAL_POINT, .obj = SIGNAL_CELL(t->id), .size = 8, .site = p.site};
        op_log(t, ARRIVE_EVENT, WIRE_MODE_READ, 0);
        t->pend = p;
}

void delivery_now(struct thread *t)
{
        struct delivery d;

        delivery_settled(t);
        while (t->signals.ready && !ex.messages[first_message(t)].timer) {
                keep(t, &d);
                run_handler(t, &d);
                t->signals.interrupted = false;
        }
}

void delivery_begin(struct thread *t, enum interrupts how, bool timed)
{
        t->signals.interrupts = (uint8_t)how;
        t->signals.timed = timed;
        t->signals.interrupted = false;
}

bool delivery_interrupted(struct thread *t)
{
        bool is = t->signals.interrupted;

        t->signals.interrupts = INTERRUPTS_NEVER;
        t->signals.timed = t->signals.interrupted = false;
        t->signals.until = 0;
        return is;
}

void delivery_left(struct thread *t, uintptr_t sp)
{
        if (sp <= t->signals.sp)
                return;
        if (t->signals.waits)
                rt_refuse("siglongjmp out of a signal handler that interrupted a wait");
        rt_note_incomplete(REASON_SIGNAL_JUMPS, NULL);
        t->signals.depth = 0;
        t->path.handlers = 0;
        t->signals.in_heap = false;
        t->signals.in_stream = NULL;
        set_tag(t, false);
        delivery_count(t);
}
