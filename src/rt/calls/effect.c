/*
 * Effects on states, and the entries of the calls in effect.def.
 *
 * An entry knows no types (x86_64/untyped.h): effect_target() performs the effects, which takes the thread's turn, and
 * answers with the real function, which is jumped to immediately.  So the call itself belongs to the transition.  Entries are
 * weak: where another file has a wrapper or an entry of the same name, that one performs the effects (effect_find, effect_run).
 *
 * The number that a call like open() returns is the lowest free one.  That it is taken is a change of the free numbers
 * and of the number itself, known before the call.
 */
#include "rt/calls/effect.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "rt/arch/x86_64/untyped.h"
#include "rt/calls/environment.h"
#include "rt/files/files.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/user/invariants.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/spin.h"
#include "rt/thread/keys.h"
#include "rt/threads.h"
#include "rt/util.h"
#include "rt/world/modules.h"

#define FILES 1024

static uint16_t file_of[FILES], saved_file_of[FILES]; /* + 1: the number that stands for the open file; 0: its own */
static bool any_duplicate;

/* The lowest two that are free. */
static void next_descriptors(int fd[2])
{
        int next = 0;

        for (int i = 0; i < 2; i++, next++) {
                while (next < FILES && rt_syscall6(SYS_fcntl, next, F_GETFD, 0, 0, 0, 0) >= 0)
                        next++;
                fd[i] = next;
        }
}

/* Writes to a file commute unless a thread reads it: then their order is visible.  Whether it was read and written is known
 * of each execution; that both happened makes the writes conflict from the next one on. */
static uint64_t ordered[FILES] __attribute__((aligned(8)));
static bool file_read[FILES], file_written[FILES];

static void settle_file(struct effect *e, uint32_t cell)
{
        bool reads = e->mode == WIRE_MODE_READ;

        (reads ? file_read : file_written)[cell] = true;
        if (file_read[cell] && file_written[cell])
                shadow_share((uintptr_t)&ordered[cell]);
        if (!reads && !shadow_is_shared((uintptr_t)&ordered[cell]))
                e->mode = WIRE_MODE_COMMUTE;
        e->state = STATE_FILE + cell;
}

bool effect_settle(struct effect *e)
{
        uint32_t cell;
        int next[2];

        switch (e->taken) {
        case EFFECT_GIVEN: return true;
        case EFFECT_KEY: e->state = tls_next_key(); break;
        case EFFECT_FILE:
        case EFFECT_FILE_AT:
                cell = e->taken == EFFECT_FILE ? files_cell(e->fd) : files_cell_at(e->fd, e->path);
                if (cell == FILES_NO_CELL)
                        return false;
                settle_file(e, cell);
                break;
        default: next_descriptors(next); e->state = effect_descriptor(next[e->taken == EFFECT_SECOND]);
        }
        e->taken = EFFECT_GIVEN;
        return true;
}

static uint32_t op_of(const struct effect *e)
{
        return e->mode == WIRE_MODE_READ ? OP_STATE_USE : e->mode == WIRE_MODE_COMMUTE ? OP_STATE_ADD : OP_STATE_CHANGE;
}

bool effect_touch(struct thread *t, const struct effect *e, unsigned n)
{
        bool shared = false;

        for (unsigned i = 0; i < n && rt.live; i++) {
                struct effect now = e[i];

                if (effect_settle(&now))
                        shared |= shadow_use(t, WIRE_OBJ_STATE(now.state), now.mode);
        }
        return shared;
}

void effect_log(struct thread *t, enum arrival how, const struct effect *e, unsigned n)
{
        for (unsigned i = 0; i < n && how != ARRIVE_PRIVATE; i++) {
                struct effect now = e[i];

                if (!effect_settle(&now))
                        continue;
                if (e[i].taken)
                        shadow_use(t, WIRE_OBJ_STATE(now.state),
                                   now.mode); /* it may be another than when the thread came */
                op_also(t, how, op_of(&now), WIRE_OBJ_STATE(now.state), 8, now.mode, 0);
        }
}

static void note_spin(struct thread *t, const struct effect *e, unsigned n)
{
        for (unsigned i = 0; i < n; i++) {
                if (!e[i].taken) /* else it is progress anyway */
                        spin_read(t, WIRE_OBJ_STATE(e[i].state), 8);
                if (e[i].mode == WIRE_MODE_WRITE)
                        spin_progress(t);
        }
}

enum arrival effect_perform(const struct effect *e, unsigned n, uintptr_t site)
{
        struct thread *t = rt_cur;
        enum arrival how;

        if (!t || !n || watch_is(t) || rt_site_in_libc(site))
                return ARRIVE_PRIVATE;
        t->turn.also_shared = effect_touch(t, e + 1, n - 1);
        how = op_arrive(t, op_of(e), WIRE_OBJ_STATE(e->state), 8, NULL, site);
        t->turn.also_shared = false;
        op_log(t, how, e->mode, 0);
        effect_log(t, how, e + 1, n - 1);
        note_spin(t, e, n);
        return how;
}

enum arrival effect_one(struct effect e, uintptr_t site)
{
        return effect_perform(&e, 1, site);
}

bool effect_is_shared(uint32_t state)
{
        return shadow_is_shared(WIRE_OBJ_STATE(state));
}

/* Descriptors. */

uint32_t effect_descriptor(int fd)
{
        return STATE_DESCRIPTOR + (uint32_t)fd % FILES;
}

uint32_t effect_position(int fd)
{
        uint32_t i = (uint32_t)fd % FILES;

        return STATE_POSITION + (file_of[i] ? file_of[i] - 1u : i);
}

void effect_duplicated(int from, int to)
{
        uint32_t of = effect_position(from) - STATE_POSITION, at = (uint32_t)to % FILES;

        if (from == to)
                file_of[at] = 0;
        else if (to >= 0)
                file_of[at] = (uint16_t)(of + 1);
        any_duplicate = true;
}

void effect_change_file(int fd, uintptr_t site)
{
        struct effect e[EFFECT_MAX] = {EFFECT_CHANGE(effect_descriptor(fd))};
        unsigned n = 1;

        for (int k = 0; any_duplicate && k < FILES && n < EFFECT_MAX; k++)
                if (k != fd && effect_position(k) == effect_position(fd))
                        e[n++] = EFFECT_CHANGE(effect_descriptor(k));
        effect_perform(e, n, site);
}

void effect_save(void)
{
        rt_copy(saved_file_of, file_of, sizeof file_of);
}

void effect_restore(void)
{
        if (any_duplicate)
                rt_copy(file_of, saved_file_of, sizeof file_of);
}

/* The calls of effect.def. */

enum when {
        WHEN_ALWAYS,
        WHEN_RETURNED,
        WHEN_RETURNED_UNLESS,
        WHEN_SET,
        WHEN_RELATIVE,
        WHEN_CREATES,
        WHEN_WRITES,
        WHEN_MODE,
        WHEN_FILE,
        WHEN_NAMED,
        WHEN_TRUNCATES,
        WHEN_EMPTIES,
        WHEN_SIZE
};

struct part {
        uint16_t state;
        uint8_t mode;
        uint8_t of;   /* the argument with its number, + 1; 0: there is one of its kind */
        uint8_t when; /* enum when */
        uint8_t arg;  /* ... of this argument */
};

struct effect_row {
        const char *name;
        struct part parts[EFFECT_MAX];
        bool outside; /* what it tells may change without any of the program's calls that we know */
};

/* clang-format off */
#define PART(...)            {__VA_ARGS__}
/* clang-format on */
#define USES(state)              PART(STATE_##state, WIRE_MODE_READ, 0, WHEN_ALWAYS, 0)
#define ADDS(state)              PART(STATE_##state, WIRE_MODE_COMMUTE, 0, WHEN_ALWAYS, 0)
#define CHANGES(state)           PART(STATE_##state, WIRE_MODE_WRITE, 0, WHEN_ALWAYS, 0)
#define USES_OF(n, state)        PART(STATE_##state, WIRE_MODE_READ, (n) + 1, WHEN_ALWAYS, 0)
#define ADDS_OF(n, state)        PART(STATE_##state, WIRE_MODE_COMMUTE, (n) + 1, WHEN_ALWAYS, 0)
#define CHANGES_OF(n, state)     PART(STATE_##state, WIRE_MODE_WRITE, (n) + 1, WHEN_ALWAYS, 0)
#define CHANGES_IF(n, state)     PART(STATE_##state, WIRE_MODE_WRITE, 0, WHEN_SET, n)
#define RETURNS(state)           PART(STATE_##state, WIRE_MODE_WRITE, 0, WHEN_RETURNED, 0)
#define RETURNS_UNLESS(n, state) PART(STATE_##state, WIRE_MODE_WRITE, 0, WHEN_RETURNED_UNLESS, n)
#define PATH(n)                  PART(STATE_DIRECTORY, WIRE_MODE_READ, 0, WHEN_RELATIVE, n)
#define CREATES_IF(n)            PART(STATE_NAMES, WIRE_MODE_WRITE, 0, WHEN_CREATES, n)
#define WRITES_IF(n)             PART(STATE_NAMES, WIRE_MODE_WRITE, 0, WHEN_WRITES, n)
#define MODE_IF(n)               PART(STATE_DESCRIPTOR, WIRE_MODE_WRITE, 1, WHEN_MODE, n)
#define READS_FILE(n)            PART(STATE_FILE, WIRE_MODE_READ, (n) + 1, WHEN_FILE, 0)
#define WRITES_FILE(n)           PART(STATE_FILE, WIRE_MODE_WRITE, (n) + 1, WHEN_FILE, 0)
#define READS_SIZE_IF(n, whence) PART(STATE_FILE, WIRE_MODE_READ, (n) + 1, WHEN_SIZE, whence)
#define READS_NAMED(n)           PART(STATE_FILE, WIRE_MODE_READ, (n) + 1, WHEN_NAMED, 0)
#define WRITES_NAMED(n)          PART(STATE_FILE, WIRE_MODE_WRITE, (n) + 1, WHEN_NAMED, 0)
#define TRUNCATES_IF(n, flags)   PART(STATE_FILE, WIRE_MODE_WRITE, (n) + 1, WHEN_TRUNCATES, flags)
#define EMPTIES_IF(n, mode)      PART(STATE_FILE, WIRE_MODE_WRITE, (n) + 1, WHEN_EMPTIES, mode)
#define OPENS                    CHANGES(DESCRIPTORS)
#define CALL(name, ...)          {#name, {__VA_ARGS__}, false},
#define LOOK(name, ...)          {#name, {__VA_ARGS__}, true},

static const struct effect_row rows[] = {
#include "rt/calls/effect.def"
};

/* The same for the contents of files.  The directory comes before the path, where a call has one. */
static bool applies_file(const struct part *p, const uint64_t *args, struct effect *e)
{
        unsigned n = p->of - 1u;
        const char *mode = (const char *)args[p->arg];

        if (p->when == WHEN_FILE || p->when == WHEN_SIZE) {
                *e = EFFECT_CONTENTS((int)args[n], p->mode);
                return p->when == WHEN_FILE || (int)args[p->arg] >= 2 /* SEEK_END */;
        }
        if ((p->when == WHEN_TRUNCATES && !(args[p->arg] & O_TRUNC)) ||
            (p->when == WHEN_EMPTIES && (!mode || *mode != 'w')))
                return false;
        e->taken = EFFECT_FILE_AT;
        e->fd = n ? (int)args[n - 1] : AT_FDCWD;
        e->path = (const char *)args[n];
        return e->path != NULL;
}

/* Where the kernel permits no filter, the machine's own files are written. */
static void note_unfiltered(uintptr_t flags)
{
        if (!rt.files && (flags & O_ACCMODE) != O_RDONLY && rt.down->isolate != WIRE_ISOLATE_DEBUG)
                rt_note_incomplete(REASON_OUTSIDE, "files");
}

/* Does this part come in, and how? */
static bool applies(const struct part *p, const uint64_t *args, struct effect *e)
{
        uintptr_t a = args[p->arg];
        const char *text = (const char *)a;

        *e = (struct effect){.state = p->state, .mode = p->mode};
        if (p->when >= WHEN_FILE)
                return applies_file(p, args, e);
        if (p->of) {
                int of = (int)args[p->of - 1];
                if (of < 0)
                        return false;
                if (p->state == STATE_POSITION)
                        e->state = effect_position(of);
                else if (p->state == STATE_SIGNAL)
                        e->state += (uint32_t)of % 65;
                else
                        e->state += (uint32_t)of % FILES;
        }
        switch (p->when) {
        case WHEN_RETURNED_UNLESS: return !a;
        case WHEN_SET: e->mode = a ? p->mode : WIRE_MODE_READ; break;
        case WHEN_RELATIVE: return text && *text != '/';
        case WHEN_CREATES:
                note_unfiltered(a);
                e->mode = a & (O_CREAT | O_TRUNC) ? p->mode : WIRE_MODE_READ;
                break;
        case WHEN_MODE: e->mode = a == FIONBIO || a == FIOASYNC ? p->mode : WIRE_MODE_READ; break;
        case WHEN_WRITES: e->mode = text && *text != 'r' ? p->mode : WIRE_MODE_READ; break;
        }
        return true;
}

static unsigned effects_of(const struct effect_row *r, const uint64_t *args, struct effect *e)
{
        unsigned n = 0;

        for (unsigned i = 0; i < EFFECT_MAX - 1 && r->parts[i].mode; i++) {
                if (!applies(&r->parts[i], args, &e[n]))
                        continue;
                if (e[n++].state == STATE_DESCRIPTORS)
                        e[n++] = EFFECT_TAKES(EFFECT_LOWEST);
        }
        return n;
}

static bool same(const char *a, const char *b)
{
        while (*a && *a == *b) {
                a++;
                b++;
        }
        return *a == *b;
}

const struct effect_row *effect_find(const char *name)
{
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
                if (same(rows[i].name, name))
                        return &rows[i];
        return NULL;
}

/* The first part says so.  How long the caller reads what was returned is not known. */
static bool returns_shared(const struct effect_row *r, const struct effect *e, unsigned n)
{
        bool returns = r->parts[0].when == WHEN_RETURNED || r->parts[0].when == WHEN_RETURNED_UNLESS;

        return returns && n && e->state == r->parts[0].state && effect_is_shared(e->state);
}

void effect_run(const struct effect_row *r, const uint64_t *args, uintptr_t site)
{
        struct effect e[EFFECT_MAX];
        unsigned n;

        if (!rt_cur || !rt.live)
                return;
        if (r->outside)
                spin_progress(rt_cur);
        n = effects_of(r, args, e);
        effect_perform(e, n, site);
        if (RT_UNLIKELY(returns_shared(r, e, n)))
                rt_note_incomplete(REASON_RETURNED, r->name);
}

/* The data of an entry. */
struct entry {
        void *real;                   /* looked up at the first call */
        const struct effect_row *row; /* likewise */
        char name[];
};

/* Called by effect_enter only.  regs: rax, then the arguments, the last first, then the return address. */
void *effect_target(struct entry *e, const uintptr_t *regs) __attribute__((visibility("hidden"), used));
void *effect_target(struct entry *e, const uintptr_t *regs)
{
        const uint64_t args[] = {regs[6], regs[5], regs[4], regs[3], regs[2], regs[1]};

        if (!e->real) {
                e->real = rt_real(e->name);
                e->row = effect_find(e->name);
        }
        if (rt.up && e->row->parts[0].state == STATE_ENVIRONMENT && e->row->parts[0].mode == WIRE_MODE_READ)
                environment_read((const char *)args[0]);
        effect_run(e->row, args, regs[7]);
        return e->real;
}

#undef CALL
#undef LOOK
#define CALL(name, ...) UNTYPED_WEAK_ENTRY(name, effect_enter, ".quad 0\n.asciz \"" #name "\"\n")
#define LOOK            CALL
#include "rt/calls/effect.def"
