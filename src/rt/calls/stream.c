/*
 * The locks of stdio's streams.
 *
 * flockfile and similar functions make a stream an object: a recursive lock.  Another call of stdio takes that lock and releases it
 * with nothing of the program in between, so it is one read of the lock's state, enabled while no other thread has it:
 * two such calls commute, and the order of output is not part of the equivalence.  Streams that no execution has ever
 * locked by flockfile are not objects; the first flockfile restarts the exploration, like memory that turns out
 * to be shared, so that calls before it count too.
 *
 * libc's own lock is taken as well: a call that is not listed in stream.def and meets it is refused (trap.c), and so is
 * one that meets a stream whose own functions (fopencookie) wait in the middle.
 *
 * Where a stream is written is a state (effect.h) once some execution asks for it or sets it (ftell, fseek): writes add to it,
 * and commute with each other.
 *
 * Functions that take no lock (putchar_unlocked) are covered where the thread has taken it.
 *
 * The entries know no types (x86_64/untyped.h): stream_target() says when and where to continue.
 */
#include "rt/calls/stream.h"

#include <errno.h>
#include <stdio.h>

#include "rt/arch/x86_64/stub.h"
#include "rt/arch/x86_64/untyped.h"
#include "rt/calls/effect.h"
#include "rt/calls/input.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/position.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/signal/unsafe.h"
#include "rt/sync/held.h"
#include "rt/sync/misuse.h"
#include "rt/sync/object.h"
#include "rt/thread/thread.h"
#include "rt/threads.h"

#define USER_LOCK 0x8000 /* in _flags: FSETLOCKING_BYCALLER, the calls take no lock */

enum where { ARG_LAST = 5, AT_STDIN, AT_STDOUT, AT_STDERR };
enum how { WRITES, READS, SEEKS, UNLOCKED };

/* The data of an entry. */
struct entry {
        void *real;    /* looked up at the first call */
        uint8_t where; /* the number of the argument, or enum where */
        uint8_t how;   /* enum how */
        char name[];
};

/* Which state stands for a stream.  Several may have one, which costs executions and loses none. */
#define STREAMS 1024u

static uint64_t asked[STREAMS] __attribute__((aligned(8))); /* shared: a thread asks where the stream is written */

static uint32_t number_of(const FILE *f)
{
        return (uint32_t)((uintptr_t)f * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

bool stream_contents(const void *file, bool reads, struct effect *e)
{
        const FILE *f = file;
        bool pending = f->_IO_write_ptr > f->_IO_write_base;

        if (f->_fileno <= 2) /* what is printed is not read again */
                return false;
        *e = EFFECT_CONTENTS(f->_fileno, reads && !pending ? WIRE_MODE_READ : WIRE_MODE_WRITE);
        return effect_settle(e);
}

static uint32_t op_of(const struct effect *e)
{
        return e->mode == WIRE_MODE_READ ? OP_STATE_USE : e->mode == WIRE_MODE_COMMUTE ? OP_STATE_ADD : OP_STATE_CHANGE;
}

/* The call takes the lock of the stream, if that is an object and not the caller's own, and has these effects.  Every call is
 * counted, so that positions do not depend on what is known of the stream. */
static void perform(struct thread *t, const FILE *f, const struct effect *e, unsigned n, uintptr_t site)
{
        struct object *o = NULL;
        enum arrival how;

        position_step(t, 1);
        if (RT_UNLIKELY(rt.segments || shadow_is_shared((uintptr_t)f)) && !(f->_flags & USER_LOCK))
                o = object_get(f, OP_OBJ_STREAM);
        if (o && OP_OWNER(o->state) != t->id + 1u) {
                t->turn.also_shared = effect_touch(t, e, n);
                how = op_arrive_counted(t, OP_STREAM_USE, o->addr, 8, o, site);
                t->turn.also_shared = false;
                op_log(t, how, WIRE_MODE_READ, o->state);
                effect_log(t, how, e, n);
        } else if (n) {
                t->turn.also_shared = effect_touch(t, e + 1, n - 1);
                how = op_arrive_counted(t, op_of(e), WIRE_OBJ_STATE(e->state), 8, NULL, site);
                t->turn.also_shared = false;
                op_log(t, how, e->mode, 0);
                effect_log(t, how, e + 1, n - 1);
        }
}

/* No other thread can tell when the owner uses the stream, but for what is in its file. */
static void use_one(struct thread *t, const FILE *f, bool moves, bool reads, uintptr_t site)
{
        uint32_t i = number_of(f);
        struct effect e[2];
        unsigned n = 0;

        unsafe_enter(t, f, site);
        if (rt.segments || shadow_is_shared((uintptr_t)&asked[i]))
                e[n++] = moves ? EFFECT_CHANGE(STATE_STREAM + i) : EFFECT_ADD(STATE_STREAM + i);
        if (rt.live && stream_contents(f, reads, &e[n]))
                n++;
        perform(t, f, e, n, site);
}

uint32_t stream_state(const void *file)
{
        shadow_share((uintptr_t)&asked[number_of(file)]);
        return STATE_STREAM + number_of(file);
}

void stream_move(struct thread *t, const void *file, uintptr_t site)
{
        stream_state(file);
        use_one(t, file, true, true, site);
}

/* libc's list of all streams.  Which of them are objects is not known in every run, so each is counted. */
extern FILE *_IO_list_all;

void stream_use(struct thread *t, const void *file, bool reads, uintptr_t site)
{
        if (file && rt.down->order_output)
                stream_move(t, file, site);
        else if (file)
                use_one(t, file, false, reads, site);
        else
                for (const FILE *f = _IO_list_all; f; f = f->_chain)
                        use_one(t, f, false, reads, site);
}

void stream_unlocked(struct thread *t, const void *file, const char *name)
{
        bool held = shadow_is_shared((uintptr_t)file) && OP_OWNER(object_get(file, OP_OBJ_STREAM)->state) == t->id + 1u;

        if (rt.live && !held && thread_has_others(t))
                rt_note_incomplete(REASON_UNLOCKED, name);
}

/* Called by stream_enter only.  regs: rax, then the arguments, the last first, then the return address. */
void *stream_target(struct entry *e, const uintptr_t *regs) __attribute__((visibility("hidden"), used));
void *stream_target(struct entry *e, const uintptr_t *regs)
{
        struct thread *t = rt_cur;

        if (t) {
                const FILE *f = e->where <= ARG_LAST    ? (const FILE *)regs[6 - e->where]
                                : e->where == AT_STDIN  ? stdin
                                : e->where == AT_STDOUT ? stdout
                                                        : stderr;
                if (e->how == UNLOCKED)
                        stream_unlocked(t, f, e->name);
                else if (e->how == SEEKS)
                        stream_move(t, f, regs[7]);
                else
                        stream_use(t, f, e->how == READS, regs[7]);
                if (e->how != WRITES)
                        input_stream(f, regs[7]);
        }
        if (!e->real)
                e->real = rt_real(e->name);
        return e->real;
}

_Static_assert(AT_STDIN == 6 && AT_STDERR == 8 && SEEKS == 2 && UNLOCKED == 3, "as the entries have them");
#define IN_ARG(n)    #n
#define IN_STDIN     "6"
#define IN_STDOUT    "7"
#define IN_STDERR    "8"
#define HOW_WRITES   "0"
#define HOW_READS    "1"
#define HOW_SEEKS    "2"
#define HOW_UNLOCKED "3"
#define STREAM(name, where, how) \
        UNTYPED_ENTRY(name, stream_enter, ".byte " IN_##where ", " HOW_##how "\n.asciz \"" #name "\"\n")
#include "rt/calls/stream.def"

/* The stream as an object; from now on all know that its lock is used. */
static struct object *locked(FILE *f)
{
        if (f == stdin || f == stdout || f == stderr)
                rt_name_object(f, f == stdin ? "stdin" : f == stdout ? "stdout" : "stderr");
        shadow_share((uintptr_t)f);
        return object_get(f, OP_OBJ_STREAM);
}

static void take(struct thread *t, struct object *o)
{
        if (OP_OWNER(o->state) == t->id + 1u) {
                o->state += OP_MUTEX_DEPTH_ONE;
                return;
        }
        o->state = t->id + 1u;
        object_note(t, o, OP_STREAM_LOCK);
        held_take(t, o);
}

RT_STUB_VOID(flockfile, stream_lock, "default")
void stream_lock(FILE *f) __attribute__((used, visibility("hidden")));
void stream_lock(FILE *f)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (t) {
                o = locked(f);
                op_perform(t, OP_STREAM_LOCK, o, WIRE_MODE_WRITE, RT_STUB_SITE());
                take(t, o);
        }
        RT_REAL(flockfile)(f);
}

RT_STUB(ftrylockfile, stream_trylock, "default")
int stream_trylock(FILE *f) __attribute__((used, visibility("hidden")));
int stream_trylock(FILE *f)
{
        struct thread *t = rt_cur;
        struct object *o;
        enum arrival how;

        if (!t)
                return RT_REAL(ftrylockfile)(f);
        o = locked(f);
        how = op_arrive(t, OP_STREAM_TRYLOCK, o->addr, 8, o, RT_STUB_SITE());
        if (OP_OWNER(o->state) && OP_OWNER(o->state) != t->id + 1u)
                return held_refuse(t, how, o, 8, EBUSY);
        op_log(t, how, WIRE_MODE_WRITE, o->state);
        take(t, o);
        return RT_REAL(ftrylockfile)(f);
}

RT_EXPORT void funlockfile(FILE *f)
{
        struct thread *t = rt_cur;
        struct object *o;

        if (!t) {
                RT_REAL(funlockfile)(f);
                return;
        }
        o = locked(f);
        op_perform(t, OP_STREAM_UNLOCK, o, WIRE_MODE_WRITE, RT_SITE());
        if (OP_OWNER(o->state) != t->id + 1u)
                misuse(t, o, "unlocked by a thread that does not hold it");
        if (OP_MUTEX_DEPTH(o->state)) {
                o->state -= OP_MUTEX_DEPTH_ONE;
        } else {
                o->state = 0;
                object_note(t, o, OP_STREAM_UNLOCK);
                o->vtime = t->clock.vtime;
                held_give(t, t);
        }
        RT_REAL(funlockfile)(f);
}
