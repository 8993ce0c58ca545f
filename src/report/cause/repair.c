/*
 * Repairs.  Where the other thread already holds a lock at its access, that lock is named; where the access is atomic or
 * nothing protects it, one atomic update is enough; else a lock over the whole stretch.
 */
#include "report/cause/repair.h"

#include <string.h>

#include "op/op.h"
#include "report/wording.h"
#include "trace/waits.h"

void repair_say_line(struct strbuf *b, const struct view *v, uint32_t i)
{
        struct symbols_frame at = phrase_entry(v->s, v->t, i);
        const char *base = at.file ? strrchr(at.file, '/') : NULL;

        if (at.line)
                strbuf_printf(b, "%s:%u", base ? base + 1 : at.file, at.line);
        else
                strbuf_puts(b, at.function);
}

static void say_object(struct strbuf *b, const struct view *v, uint32_t op, uint64_t obj)
{
        char name[160];

        strbuf_puts(b, finding_object(name, sizeof name, v->s, op, obj));
}

/* "from f.c:3 to f.c:5", "at f.c:3". */
static void say_range(struct strbuf *b, const struct view *v, uint32_t from, uint32_t to)
{
        struct strbuf x = STRBUF_INIT, y = STRBUF_INIT;

        repair_say_line(&x, v, from);
        repair_say_line(&y, v, to);
        if (strcmp(strbuf_str(&x), strbuf_str(&y)) == 0)
                strbuf_printf(b, " at %s", strbuf_str(&x));
        else
                strbuf_printf(b, " from %s to %s", strbuf_str(&x), strbuf_str(&y));
        strbuf_fini(&x);
        strbuf_fini(&y);
}

/* The first lock that the thread of one of these entries holds there; VIEW_NONE. */
static uint32_t lock_of(struct view *v, uint32_t a, uint32_t b)
{
        uint32_t lock = view_lock_at(v, a, 0);

        return lock != VIEW_NONE || b == VIEW_NONE ? lock : view_lock_at(v, b, 0);
}

static bool is_same_lock(const struct view *v, uint32_t a, uint32_t b)
{
        return a != VIEW_NONE && b != VIEW_NONE && v->t->events[a].obj == v->t->events[b].obj;
}

static void say_hold(struct strbuf *b, struct view *v, const struct cause *c)
{
        uint32_t own = lock_of(v, c->check, c->act), other = view_lock_at(v, c->foreign, 0);
        uint32_t lock = other != VIEW_NONE ? other : own;
        bool kept = is_same_lock(v, view_lock_at(v, c->check, 0), other) &&
                    is_same_lock(v, view_lock_at(v, c->act, 0), other);

        if (lock == VIEW_NONE) {
                strbuf_puts(b, "hold one mutex");
                say_range(b, v, c->check, c->act);
                strbuf_puts(b, " and wherever other threads change ");
                say_object(b, v, OP_READ, c->object);
                return;
        }
        strbuf_puts(b, kept ? "keep " : "hold ");
        say_object(b, v, v->t->events[lock].op, v->t->events[lock].obj);
        strbuf_puts(b, kept ? " locked" : "");
        say_range(b, v, c->check, c->act);
        if (other == VIEW_NONE) {
                strbuf_puts(b, " and at ");
                repair_say_line(b, v, c->foreign);
        } else {
                strbuf_puts(b, kept ? " without releasing it in between" : "");
        }
}

static void say_update(struct strbuf *b, struct view *v, const struct cause *c)
{
        bool atomic = op_has(v->t->events[c->act].op, OPF_ATOMIC);

        if (atomic || (lock_of(v, c->check, c->act) == VIEW_NONE && view_lock_at(v, c->foreign, 0) == VIEW_NONE)) {
                strbuf_puts(b, atomic ? "update " : "make ");
                say_object(b, v, OP_READ, c->object);
                strbuf_puts(b, atomic ? " with one atomic read-modify-write (atomic_fetch_add, compare-and-swap)"
                                      : " atomic and update it with one read-modify-write (atomic_fetch_add)");
                say_range(b, v, c->check, c->act);
                strbuf_puts(b, ", or ");
        }
        say_hold(b, v, c);
}

/* The mutex that a wait on a condition variable releases. */
static void say_mutex(struct strbuf *b, struct view *v, uint32_t wait)
{
        uint32_t lock = view_lock_at(v, wait, 0);

        if (lock == VIEW_NONE)
                for (lock = wait; lock-- > 0;)
                        if (v->t->events[lock].actor == v->t->events[wait].actor &&
                            v->t->events[lock].op == OP_MUTEX_LOCK)
                                break;
        if (lock == UINT32_MAX)
                strbuf_puts(b, "the mutex");
        else
                say_object(b, v, v->t->events[lock].op, v->t->events[lock].obj);
}

static void say_wakeup(struct strbuf *b, struct view *v, const struct cause *c)
{
        if (c->check == VIEW_NONE) {
                strbuf_puts(b, "let T");
                strbuf_printf(b, "%u set a flag while it holds ", c->other);
                say_mutex(b, v, c->act);
                strbuf_puts(b, ", and wait at ");
                repair_say_line(b, v, c->act);
                strbuf_puts(b, " only while the flag is not set");
                return;
        }
        if (c->foreign < c->check) { /* the condition was true, or becomes true, at another time than the signal */
                uint32_t later = view_foreign(v, v->t->events[c->act].actor, c->check, c->check, v->t->n_events);
                bool early = later != VIEW_NONE && v->t->events[later].actor == c->other;
                strbuf_puts(b, early ? "change "
                                     : "wait for a value that is not set back, such as a count of rounds, instead of ");
                say_object(b, v, OP_READ, v->t->events[c->check].obj);
                if (early) {
                        strbuf_puts(b, " before the signal at ");
                        repair_say_line(b, v, c->foreign);
                }
                return;
        }
        strbuf_puts(b, "hold ");
        say_mutex(b, v, c->act);
        strbuf_puts(b, " from the check at ");
        repair_say_line(b, v, c->check);
        strbuf_puts(b, " to the wait, and where ");
        say_object(b, v, OP_READ, v->t->events[c->check].obj);
        strbuf_puts(b, " is changed before the signal at ");
        repair_say_line(b, v, c->foreign);
}

static bool say_waits(struct strbuf *b, struct view *v, const struct cause *c)
{
        switch (c->pattern) {
        case CAUSE_LOST_WAKEUP: say_wakeup(b, v, c); return true;
        case CAUSE_WRONG_WAITER:
                strbuf_puts(b, "use pthread_cond_broadcast at ");
                repair_say_line(b, v, c->foreign);
                strbuf_puts(b, ", or one condition variable for each condition");
                return true;
        case CAUSE_LOCK_ORDER: strbuf_puts(b, "take these locks in the same order in every thread"); return true;
        case CAUSE_SELF_LOCK: strbuf_puts(b, "unlock it before it is locked again, or make it recursive"); return true;
        case CAUSE_NOT_UNLOCKED:
                strbuf_printf(b, "unlock it on every path of T%u behind ", c->thread);
                repair_say_line(b, v, c->check);
                return true;
        case CAUSE_JOIN_LOCKED:
                strbuf_puts(b, "unlock ");
                say_object(b, v, c->object_op, c->object);
                strbuf_puts(b, " before the join");
                return true;
        default: return false;
        }
}

static void say_publish(struct strbuf *b, struct view *v, const struct cause *c)
{
        if (c->act != VIEW_NONE)
                strbuf_printf(b, "let T%u write ", c->thread);
        else
                strbuf_printf(b, "let T%u wait until T%u has written ", v->t->events[c->check].actor, c->thread);
        say_object(b, v, OP_READ, c->object);
        if (c->act == VIEW_NONE)
                return;
        strbuf_puts(b, " before ");
        say_object(b, v, OP_READ, v->t->events[c->act].obj);
        strbuf_puts(b, ", which publishes it at ");
        repair_say_line(b, v, c->act);
}

bool repair_say(struct strbuf *b, struct view *v, const struct cause *c)
{
        switch (c->pattern) {
        case CAUSE_LOST_UPDATE: say_update(b, v, c); return true;
        case CAUSE_CHECK_THEN_ACT:
        case CAUSE_TORN_READ: say_hold(b, v, c); return true;
        case CAUSE_MISSING_RECHECK:
                strbuf_puts(b, "check ");
                say_object(b, v, OP_READ, c->object);
                strbuf_puts(b, " again after the wait: `while' instead of `if' at ");
                repair_say_line(b, v, c->check);
                return true;
        case CAUSE_ABA:
                strbuf_puts(b, "compare a version number together with ");
                say_object(b, v, OP_READ, c->object);
                strbuf_puts(b, ", or do not reuse a node while another thread may still compare with it");
                return true;
        case CAUSE_TOO_EARLY: say_publish(b, v, c); return true;
        case CAUSE_HAND_OVER:
                strbuf_printf(b, "do not use the block in T%u after ", c->thread);
                repair_say_line(b, v, c->check);
                return true;
        case CAUSE_STALE_POINTER:
                strbuf_printf(b, "hold one mutex in T%u and T%u while they read, use, free and change ", c->thread,
                              c->other);
                say_object(b, v, OP_READ, c->object);
                return true;
        default: return say_waits(b, v, c);
        }
}
