/* See own.h. */
#include "rt/memory/own.h"

#include "rt/memory/access_part.h"
#include "rt/memory/memcheck.h"
#include "rt/memory/shadow.h"
#include "rt/memory/unsettled.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"

/* Of a part: every touch of its last granule is checked, since a block ends in it (memcheck.c). */
enum own { OWN_NOT, OWN_ALL, OWN_CHECKED };

static enum own owned(uint64_t mark, const struct access_part *p)
{
        uintptr_t at = (uintptr_t)p->addr & ~(uintptr_t)7, last = ((uintptr_t)p->addr + p->size - 1) & ~(uintptr_t)7;
        const uint64_t *word, *end;
        uint64_t differs = 0, mark_of_last;

        if (!p->size || !p->addr)
                return OWN_ALL;
        if (last < at || !shadow_is_flat(at) || at >> 40 != last >> 40)
                return OWN_NOT;
        end = shadow_flat_at(last);
        for (word = shadow_flat_at(at); word < end; word++)
                differs |= *word ^ mark;
        mark_of_last = RT_MARK(*end);
        if (RT_MARK(differs))
                return OWN_NOT;
        if (shadow_known(mark_of_last, mark) > (((uintptr_t)p->addr + p->size - 1) & 7))
                return OWN_ALL;
        return (mark_of_last & ~(uint64_t)RT_KNOWN) == (mark | RT_SLOW) ? OWN_CHECKED : OWN_NOT;
}

bool own_parts(struct thread *t, const struct access_part *part, unsigned n, uintptr_t site)
{
        uint64_t mark = t->fast_mark;
        uint32_t checked = 0;

        if (mark == RT_MARK_NONE || RT_NOW->left < 1 || torn_open || t->unsaid || mm_is_weak() ||
            (t->section.ignored | t->marks.trust_depth | rt.down->n_ignored))
                return false;
        for (unsigned i = 0; i < n; i++) {
                enum own how = owned(mark, &part[i]);

                if (how == OWN_NOT)
                        return false;
                checked |= (uint32_t)(how == OWN_CHECKED) << i;
        }
        for (unsigned i = 0; checked; i++, checked >>= 1)
                if (checked & 1)
                        memory_check(t, part[i].op, (uintptr_t)part[i].addr, part[i].size, site);
        return true;
}
