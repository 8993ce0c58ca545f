/*
 * The futex system call, as programs make it through syscall(): wait, wake and requeue, with and without bit sets.
 *
 * A wait is two transitions.  The first reads the word and, if it has the expected value, joins the word's queue; the
 * second comes when it was woken.  The queue is an object of its own (WIRE_OBJ_FUTEX), so that wakes conflict with waits
 * and not with accesses to the word.  Which of the waiters a wake reaches is a decision.  A wake without a waiter only
 * looks at the queue.
 *
 * A wait with a timeout may end at any time: the second transition takes the thread out of the queue if it is still there, so
 * it conflicts with the wakes, and needs none to have come before.
 *
 * Not covered: priority inheritance, FUTEX_WAKE_OP, and waits on several words; they are refused by name.
 */
#include "rt/sync/futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <time.h>

#include "op/futex.h"
#include "rt/fault.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/sched/arrival.h"
#include "rt/sched/choice.h"
#include "rt/sched/end.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/sync/timed.h"
#include "rt/threads.h"
#include "rt/world/time.h"

struct queue {
        uint64_t addr;
        uint32_t bits;
};

static bool waits_in(const struct thread *t, const struct queue *q)
{
        return t->state == WIRE_T_READY && t->futex.word == q->addr && (t->futex.bits & q->bits);
}

/* The first waiter after thread `choice` - 1, as a choice; 0: none. */
static uint32_t waiter_after(const void *queue, uint32_t choice)
{
        for (uint32_t id = choice; id < ex.n_threads; id++)
                if (waits_in(&threads[id], queue))
                        return id + 1;
        return 0;
}

static uint32_t count_waiters(const struct queue *q)
{
        uint32_t n = 0;

        for (uint32_t c = 0; (c = waiter_after(q, c)) != 0;)
                n++;
        return n;
}

static void wake(struct thread *t, enum arrival how, struct thread *w)
{
        w->futex.word = 0;
        w->wait.signalled = 1;
        if (t->clock.vtime > w->clock.vtime)
                w->clock.vtime = t->clock.vtime;
        if (!w->wait.timed) /* a thread that may time out needs no other thread to continue */
                op_also(t, how, OP_WAKE, WIRE_OBJ_THREAD(w->id), 8, WIRE_MODE_NONE, 0)->choice = w->id;
}

/* The answer of a wake of k out of n waiters; the alternatives go into the entry. */
struct answer {
        uint32_t choice, next;
};

static struct answer ask(const struct queue *q, uint32_t n, uint32_t k)
{
        struct answer a = {0, WIRE_NO_CHOICE};

        if (k == 1) {
                a.choice = op_choice_of(waiter_after(q, 0), waiter_after, q);
                if (a.choice > ex.n_threads || !a.choice || !waits_in(&threads[a.choice - 1], q))
                        exec_end_text(WIRE_END_DIVERGED, ex.n_transitions, "the thread to wake does not wait");
                if (waiter_after(q, a.choice))
                        a.next = waiter_after(q, a.choice);
        } else if (k && k < n) {
                uint32_t count = op_futex_subsets(n, k);
                if (count == OP_FUTEX_SUBSETS)
                        rt_note_incomplete(REASON_FUTEX_WAKE, NULL);
                a.choice = op_choice(count);
                if (a.choice >= count)
                        exec_end_text(WIRE_END_DIVERGED, ex.n_transitions, "fewer threads wait than before");
                if (a.choice + 1 < count)
                        a.next = a.choice + 1;
        }
        return a;
}

/* Wakes those of the answer: one by its name, or the subset of that rank. */
static void wake_chosen(struct thread *t, enum arrival how, const struct queue *q, uint32_t n, uint32_t k,
                        uint32_t choice)
{
        if (k == 1 && n > 0) {
                wake(t, how, &threads[choice - 1]);
                return;
        }
        for (uint32_t c = 0; k && (c = waiter_after(q, c)) != 0; n--) {
                uint32_t with = op_futex_subsets(n - 1, k - 1);
                if (k == n || choice < with) {
                        wake(t, how, &threads[c - 1]);
                        k--;
                } else {
                        choice -= with;
                }
        }
}

static struct wire_event *touch_queue(struct thread *t, enum arrival how, uint64_t addr, bool changes)
{
        if (changes)
                spin_progress(t);
        else
                spin_read(t, WIRE_OBJ_FUTEX(addr), 8);
        return op_also(t, how, OP_FUTEX_QUEUE, WIRE_OBJ_FUTEX(addr), 8, changes ? WIRE_MODE_WRITE : WIRE_MODE_READ, 0);
}

static long futex_wake(struct thread *t, const struct queue *q, uint32_t limit, uintptr_t site)
{
        enum arrival how;
        uint32_t n, k;
        struct answer a;
        struct wire_event *e;

        t->turn.also_shared =
                count_waiters(q) > 0; /* moved here by this thread, they may have touched nothing of this queue */
        how = op_arrive(t, OP_FUTEX_WAKE, q->addr, 4, NULL, site);
        t->turn.also_shared = false;
        n = count_waiters(q);
        k = n < limit ? n : limit;
        a = ask(q, n, k);
        e = op_log(t, how, WIRE_MODE_NONE, limit | (uint64_t)q->bits << 32);
        e->choice = a.choice;
        e->next_choice = a.next;
        touch_queue(t, how, q->addr, k > 0);
        wake_chosen(t, how, q, n, k, a.choice);
        return k;
}

/* Wakes some and moves others to the queue of `to`. */
static long futex_requeue(struct thread *t, const long *a, bool compare, uintptr_t site)
{
        struct queue q = {(uint64_t)a[0], UINT32_MAX};
        uint64_t to = (uint64_t)a[4], value = op_futex_move(q.addr, to, (uint32_t)a[2], (uint32_t)a[3]);
        uint32_t limit = (uint32_t)a[2], moves = (uint32_t)a[3], n, k;
        struct wire_event *e;
        struct answer answer;
        enum arrival how;

        t->turn.also_shared = rt.live && shadow_touch(t, to, 4);
        how = op_arrive(t, OP_FUTEX_REQUEUE, q.addr, 4, NULL, site);
        t->turn.also_shared = false;
        if (compare && *(const uint32_t *)q.addr != (uint32_t)a[5]) {
                op_log(t, how, WIRE_MODE_READ, value)->flags |= WIRE_EV_FAILED;
                return -EAGAIN;
        }
        n = count_waiters(&q);
        k = n < limit ? n : limit;
        answer = ask(&q, n, k);
        e = op_log(t, how, compare ? WIRE_MODE_READ : WIRE_MODE_NONE, value);
        e->choice = answer.choice;
        e->next_choice = answer.next;
        touch_queue(t, how, q.addr, n > 0);
        wake_chosen(t, how, &q, n, k, answer.choice);
        if (n - k && moves && to != q.addr)
                touch_queue(t, how, to, true);
        if (moves < n - k && moves)
                rt_note_incomplete(REASON_FUTEX_MOVE, NULL);
        for (uint32_t c = 0; moves && (c = waiter_after(&q, c)) != 0; moves--, k++)
                threads[c - 1].futex.word = threads[c - 1].futex.last = to;
        return k;
}

/* In the queue now: until woken, or until the time is up. */
static long stay(struct thread *t, uint64_t until, uintptr_t site)
{
        uint64_t addr = t->futex.word;
        enum arrival how = op_arrive(t, OP_FUTEX_RETURN, WIRE_OBJ_FUTEX(addr), 8, NULL, site);
        bool woken = t->wait.signalled;
        struct wire_event *e = op_log(t, how, t->wait.timed ? WIRE_MODE_WRITE : WIRE_MODE_NONE, 0);

        if (t->wait.timed && t->futex.last != addr) /* moved meanwhile */
                touch_queue(t, how, t->futex.last, true);
        t->futex.word = 0;
        t->wait.timed = false;
        t->wait.deadline = RT_NO_DEADLINE;
        if (woken)
                return 0;
        e->flags |= WIRE_EV_FAILED | (t->wait.let_go ? WIRE_EV_LAST : 0);
        if (t->wait.let_go) /* it leaves the queue */
                touch_queue(t, how, addr, true);
        t->wait.let_go = false;
        if (until > t->clock.vtime)
                t->clock.vtime = until;
        timed_count(t);
        return -ETIMEDOUT;
}

static long futex_wait(struct thread *t, const struct queue *q, uint32_t expected, const struct timespec *timeout,
                       uint64_t until, uintptr_t site)
{
        enum arrival how = op_arrive(t, OP_FUTEX_WAIT, q->addr, 4, NULL, site);
        uint32_t now = *(const volatile uint32_t *)q->addr;
        struct wire_event *e = op_log(t, how, WIRE_MODE_READ, now | (uint64_t)~q->bits << 32);

        if (now != expected) {
                e->flags |= WIRE_EV_FAILED;
                spin_read(t, q->addr, 4);
                return -EAGAIN;
        }
        spin_progress(t);
        touch_queue(t, how, q->addr, true);
        t->futex.word = t->futex.last = q->addr;
        t->futex.bits = q->bits;
        t->wait.signalled = 0;
        t->wait.timed = timeout && (timed_explored(t, site) || until <= t->clock.vtime);
        t->wait.deadline = timeout && rt.stuck && !t->wait.timed ? until : RT_NO_DEADLINE;
        return stay(t, until, site);
}

long futex_call(struct thread *t, const long a[6], uintptr_t site)
{
        int op = (int)a[1] & FUTEX_CMD_MASK;
        bool bitset = op == FUTEX_WAIT_BITSET || op == FUTEX_WAKE_BITSET;
        struct queue q = {(uint64_t)a[0], bitset ? (uint32_t)a[5] : UINT32_MAX};
        const struct timespec *timeout = (const struct timespec *)a[3];
        uint64_t until = 0;

        if ((q.addr & 3) || !q.bits)
                return -EINVAL;
        switch (op) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
                if (timeout && !clock_deadline(bitset, (a[1] & FUTEX_CLOCK_REALTIME) ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                                               timeout, &until))
                        return -EINVAL;
                return futex_wait(t, &q, (uint32_t)a[2], timeout, until, site);
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET: return futex_wake(t, &q, (int)a[2] > 0 ? (uint32_t)a[2] : 1, site);
        case FUTEX_REQUEUE:
        case FUTEX_CMP_REQUEUE:
                return (int)a[2] < 0 || (int)a[3] < 0 ? -EINVAL : futex_requeue(t, a, op == FUTEX_CMP_REQUEUE, site);
        case FUTEX_WAKE_OP: rt_refuse("the system call futex with FUTEX_WAKE_OP (use FUTEX_WAKE)"); break;
        default:
                rt_refuse("the system call futex with priority inheritance or an unknown operation (use a pthread "
                          "mutex)");
        }
        return -ENOSYS;
}
