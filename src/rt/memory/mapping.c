/*
 * Calls that change what is behind addresses: munmap, mprotect, mremap, madvise, mmap at a fixed address.
 *
 * They are writes of the whole range, as free() is, so that an access and such a call that nothing orders are run in both
 * orders; a thread that comes too late gets the kernel's answer.  A change of protection that keeps memory readable is a read:
 * it conflicts with writes alone, and the protection itself is a state that all of these calls change.
 */
#include <stdarg.h>
#include <sys/mman.h>

#include "rt/calls/effect.h"
#include "rt/memory/area.h"
#include "rt/memory/shadow.h"
#include "rt/notes.h"
#include "rt/real.h"
#include "rt/sched/arrival.h"
#include "rt/sched/end.h"
#include "rt/user/invariants.h"
#include "rt/trace/log.h"
#include "rt/sched/operation.h"
#include "rt/loops/cycle.h"
#include "rt/loops/spin.h"
#include "rt/threads.h"
#include "rt/world/maps.h"
#include "rt/world/modules.h"

#define PAGE      4096u
#define PIECE     0x10000u /* of a range that is one entry */
#define PROT_GONE (-1)
#define MOST      (UINT64_C(64) << 20)

/* Is all of the range readable now? */
struct span {
        uintptr_t at, end;
        bool readable;
};

static void look(void *arg, const struct mapping *m)
{
        struct span *s = arg;

        if (m->lo <= s->at && m->hi > s->at && s->at < s->end) {
                s->readable &= m->read;
                s->at = m->hi;
        }
}

static bool readable(uintptr_t at, uintptr_t end)
{
        struct span s = {at, end, true};

        maps_each(look, &s);
        return s.readable && s.at >= s.end;
}

/* What of a range other threads touch, in pieces. */
struct range {
        uintptr_t at, end;
        uintptr_t first; /* the first piece that is shared; none: the first one */
};

static uint32_t piece(const struct range *r, uintptr_t at)
{
        return r->end - at < PIECE ? (uint32_t)(r->end - at) : PIECE;
}

static void touch(struct thread *t, struct range *r)
{
        r->first = 0;
        for (uintptr_t at = r->at; at < r->end; at += PIECE)
                if (shadow_touch(t, at, piece(r, at)) && !r->first)
                        r->first = at;
        if (!r->first)
                r->first = r->at;
}

/* All of it is one transition, since the kernel does it at once. */
static void perform(struct thread *t, struct range *r, int prot, uintptr_t site)
{
        const struct effect e = EFFECT_CHANGE(STATE_PROTECTION);
        enum arrival how;
        uint32_t mode;

        touch(t, r);
        t->turn.also_shared = prot != PROT_GONE && effect_touch(t, &e, 1);
        how = op_arrive(t, OP_REMAP, r->first, piece(r, r->first), NULL, site);
        t->turn.also_shared = false;
        if (how == ARRIVE_PRIVATE)
                return;
        mode = prot != PROT_GONE && (prot & PROT_READ) && readable(r->at, r->end) ? WIRE_MODE_READ : WIRE_MODE_WRITE;
        op_log(t, how, mode, 0);
        for (uintptr_t at = r->first + PIECE; at < r->end; at += PIECE)
                if (shadow_touch(t, at, piece(r, at)))
                        op_also(t, how, OP_REMAP, at, piece(r, at), mode, 0);
        if (prot != PROT_GONE)
                effect_log(t, how, &e, 1);
}

/* The mapping of a range changes: to this protection, or it is gone. */
static void change(const void *addr, size_t size, int prot, uintptr_t site)
{
        struct range r = {.at = (uintptr_t)addr, .end = (uintptr_t)addr + (size + PAGE - 1) / PAGE * PAGE};
        struct thread *t = rt_cur;

        if (!t || !rt.live || rt_site_in_libc(site) || watch_is(t) || r.end <= r.at)
                return;
        if (r.end - r.at > MOST) {
                rt_note_incomplete(REASON_MAPPING, NULL);
                r.end = r.at + MOST;
        }
        spin_progress(t);
        perform(t, &r, prot, site);
        cycle_gone(r.at, r.end);
}

/* A file that is mapped at a new address: which one, and is it at another one too? */
struct alias {
        uintptr_t at;
        uint64_t file;
        bool writes, twice;
};

static void look_for_file(void *arg, const struct mapping *m)
{
        struct alias *a = arg;

        if (m->lo <= a->at && a->at < m->hi) {
                a->file = m->file;
                a->writes = m->write;
        }
}

static void look_for_alias(void *arg, const struct mapping *m)
{
        struct alias *a = arg;

        if (m->file == a->file && !(m->lo <= a->at && a->at < m->hi))
                a->twice |= a->writes || (m->write && m->shared);
}

static bool shares_files; /* memory of a file was mapped that is not private */

/* Memory that has two addresses: an access to one of them is not seen as one to the other. */
static void note_alias(const void *at)
{
        struct alias a = {.at = (uintptr_t)at};

        shares_files = true;
        maps_each(look_for_file, &a);
        maps_each(look_for_alias, &a);
        if (a.twice)
                rt_note_incomplete(REASON_ALIAS, NULL);
}

RT_EXPORT int munmap(void *addr, size_t size)
{
        change(addr, size, PROT_GONE, RT_SITE());
        return RT_REAL(munmap)(addr, size);
}

RT_EXPORT int mprotect(void *addr, size_t size, int prot)
{
        int r;

        change(addr, size, prot, RT_SITE());
        r = RT_REAL(mprotect)(addr, size, prot);
        if (r == 0 && rt_cur && shares_files && (prot & PROT_WRITE))
                note_alias(addr);
        return r;
}

RT_EXPORT int pkey_mprotect(void *addr, size_t size, int prot, int key)
{
        change(addr, size, prot, RT_SITE());
        return RT_REAL(pkey_mprotect)(addr, size, prot, key);
}

RT_EXPORT void *mremap(void *addr, size_t size, size_t new_size, int flags, ...)
{
        va_list ap;
        void *to, *p;

        va_start(ap, flags);
        to = va_arg(ap, void *);
        va_end(ap);
        change(addr, size, PROT_GONE, RT_SITE());
        if (flags & MREMAP_FIXED)
                change(to, new_size, PROT_GONE, RT_SITE());
        p = RT_REAL(mremap)(addr, size, new_size, flags, to);
        if (size == 0 && rt_cur && p == MAP_FAILED) /* shared memory without a file is private here */
                exec_end_text(WIRE_END_UNSUPPORTED, 0, "mremap for a second address of memory (an old size of 0)");
        if (size == 0 && rt_cur)
                rt_note_incomplete(REASON_ALIAS, NULL);
        return p;
}

RT_EXPORT int madvise(void *addr, size_t size, int advice)
{
        if (area_empties(advice))
                change(addr, size, PROT_GONE, RT_SITE());
        return RT_REAL(madvise)(addr, size, advice);
}

/* Memory without a file is shared with children alone, and a threaded program has none. */
static int private_flags(int flags)
{
        if (!rt_cur || !(flags & MAP_ANONYMOUS) || (flags & MAP_TYPE) == MAP_PRIVATE)
                return flags;
        return (flags & ~MAP_TYPE) | MAP_PRIVATE;
}

RT_EXPORT void *mmap(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
        const struct effect file = EFFECT_USE(effect_descriptor(fd));
        void *p;

        if (fd >= 0 && !(flags & MAP_ANONYMOUS))
                effect_perform(&file, 1, RT_SITE());
        if (flags & MAP_FIXED)
                change(addr, size, PROT_GONE, RT_SITE());
        p = RT_REAL(mmap)(addr, size, prot, private_flags(flags), fd, offset);
        if (rt_cur && fd >= 0 && (flags & MAP_TYPE) != MAP_PRIVATE && !(flags & MAP_ANONYMOUS) && p != MAP_FAILED)
                note_alias(p);
        return p;
}

RT_EXPORT void *mmap64(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
        __attribute__((alias("mmap")));
