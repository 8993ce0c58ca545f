/* See signal_fd.h. */
#include "rt/io/signal_fd.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt/calls/calls.h"
#include "rt/calls/effect.h"
#include "rt/fault.h"
#include "rt/io/channel.h"
#include "rt/io/signal_object.h"
#include "rt/memory/shadow.h"
#include "rt/real.h"
#include "rt/sched/end.h"
#include "rt/sched/operation.h"
#include "rt/sync/object.h"
#include "rt/threads.h"
#include "rt/trace/log.h"
#include "rt/util.h"
#include "rt/world/own_signals.h"

/* Is one of the set there, for whichever thread? */
static bool waits(uint64_t set)
{
        for (uint32_t i = 0; i < ex.n_threads; i++)
                if (threads[i].signals.pending & set)
                        return true;
        for (uint32_t i = 0; i < ex.n_messages; i++)
                if (set & signal_bit(ex.messages[i].sig))
                        return true;
        return false;
}

static void show(int fd, bool there)
{
        uint64_t value = 1;

        rt_syscall6(there ? SYS_write : SYS_read, fd, (long)&value, sizeof value, 0, 0, 0);
}

/* A thread that waits to read from it can continue, because of this turn alone. */
static void wake_readers(struct thread *t, enum arrival how, uint64_t channel)
{
        for (uint32_t i = 0; i < ex.n_threads; i++) {
                const struct thread *w = &threads[i];

                if (w != t && w->state == WIRE_T_READY && w->pend.op == OP_CHANNEL_READ && w->pend.obj == channel)
                        op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(i), 8, WIRE_MODE_NONE, 0)->choice = i;
        }
}

/* `reads`: the channel whose entry the turn has already, 0: none. */
static void changed(struct thread *t, enum arrival how, int sig, uint32_t op, uint64_t reads)
{
        for (int fd = channel_next(0, CHANNEL_SIGNALS); fd >= 0; fd = channel_next(fd + 1, CHANNEL_SIGNALS)) {
                const struct channel_end *e = channel_at(fd);
                bool there = waits(e->signals);
                uint64_t state = channel_object(e->in)->state;

                if (!(e->signals & signal_bit(sig)))
                        continue;
                if (there != ((state & OP_CHANNEL_READABLE) != 0))
                        show(fd, there);
                if (e->in == reads) {
                        channel_look(e->in);
                        continue;
                }
                shadow_touch(t, e->in, 8);
                op_also(t, how, op, e->in, 8, WIRE_MODE_WRITE, state);
                if (there && !(state & OP_CHANNEL_READABLE))
                        wake_readers(t, how, e->in);
                channel_used(t, how, e->in);
        }
}

void signal_fd_changed(struct thread *t, enum arrival how, int sig, bool sent)
{
        changed(t, how, sig, sent ? OP_CHANNEL_WRITE : OP_CHANNEL_READ, 0);
}

RT_EXPORT int signalfd(int fd, const sigset_t *set, int flags)
{
        const struct effect e[] = {EFFECT_CHANGE(STATE_DESCRIPTORS), EFFECT_TAKES(EFFECT_LOWEST)};
        struct channel_end end;
        uint64_t signals;

        if (!rt_cur)
                return RT_REAL(signalfd)(fd, set, flags);
        snapshot_ensure();
        call_in(set, 8, RT_SITE());
        rt_copy(&signals, set, 8);
        if (fd >= 0)
                rt_refuse("signalfd with a descriptor that is there already (make another)");
        effect_perform(e, 2, RT_SITE());
        fd = RT_REAL(eventfd)(0, flags & (EFD_NONBLOCK | EFD_CLOEXEC));
        if (fd < 0)
                return fd;
        channel_made(CHANNEL_SIGNALS, fd, -1, 0);
        end = *channel_at(fd);
        end.signals = signals;
        channel_put(fd, end);
        if (waits(signals)) {
                show(fd, true);
                channel_look(end.in);
        }
        return fd;
}

static void describe(struct signalfd_siginfo *to, const struct signal_message *m)
{
        rt_zero(to, sizeof *to);
        to->ssi_signo = m->sig;
        to->ssi_code = m->code;
        to->ssi_pid = (uint32_t)getpid();
        to->ssi_uid = getuid();
        to->ssi_ptr = m->value;
        to->ssi_int = (int32_t)m->value;
}

static struct signal_message taken[EX_MESSAGES + SIGNALS]; /* by the read under way */
static uint32_t n_taken;

/* The one with the lowest number, of those for this thread or the process; false: there is none. */
static bool take(struct thread *t, uint64_t set, struct signal_message *got)
{
        uint64_t own = t->signals.pending & set;
        uint32_t best = UINT32_MAX;

        for (uint32_t i = 0; i < ex.n_messages; i++) {
                const struct signal_message *m = &ex.messages[i];

                if ((m->owner == t->id || m->owner == SIGNAL_PROCESS) && (set & signal_bit(m->sig)) &&
                    (best == UINT32_MAX || m->sig < ex.messages[best].sig))
                        best = i;
        }
        if (own && (best == UINT32_MAX || __builtin_ctzll(own) + 1 <= ex.messages[best].sig)) {
                *got = (struct signal_message){
                        .sig = (uint8_t)(__builtin_ctzll(own) + 1), .owner = SIGNAL_PROCESS + 1, .code = SI_TKILL};
                t->signals.pending &= ~signal_bit(got->sig);
                return true;
        }
        if (best == UINT32_MAX)
                return false;
        *got = ex.messages[best];
        ex.n_messages--;
        for (uint32_t i = best; i < ex.n_messages; i++)
                ex.messages[i] = ex.messages[i + 1];
        return true;
}

ssize_t signal_fd_read(struct thread *t, int fd, void *p, size_t n)
{
        const struct channel_end *e = channel_at(fd);
        struct signalfd_siginfo info;
        struct signal_message m;
        size_t done = 0;

        n_taken = 0;
        if (n < sizeof info) {
                errno = EINVAL;
                return -1;
        }
        while (n - done >= sizeof info && take(t, e->signals, &m)) {
                describe(&info, &m);
                rt_copy((char *)p + done, &info, sizeof info);
                done += sizeof info;
                taken[n_taken++] = m;
        }
        if (!done && waits(e->signals))
                rt_refuse("a read of a signalfd by a thread, of a signal that was sent to another thread");
        if (!done) {
                errno = EAGAIN;
                return -1;
        }
        return (ssize_t)done;
}

void signal_fd_taken(struct thread *t, enum arrival how, int fd)
{
        for (uint32_t i = 0; i < n_taken; i++) {
                const struct signal_message *m = &taken[i];

                if (m->owner <= SIGNAL_PROCESS) /* it could not have been taken before it was sent */
                        op_also(t, how, OP_CHANNEL_READ, signal_object(m->owner, m->sig), 8, WIRE_MODE_WRITE,
                                OP_CHANNEL_READABLE);
                changed(t, how, m->sig, OP_CHANNEL_READ, channel_at(fd)->in);
        }
        n_taken = 0;
}
