/* See own.h. */
#include "rt/memory/own.h"

#include "rt/memory/access_part.h"
#include "rt/memory/bytes.h"
#include "rt/memory/memcheck.h"
#include "rt/memory/shadow.h"
#include "rt/memory/unsettled.h"
#include "rt/position.h"
#include "rt/threads.h"
#include "rt/weak/mm.h"
#include "rt/world/modules.h"

/* Of a part: every touch of its last granule is checked, since a block ends in it (memcheck.c). */
enum own { OWN_NOT, OWN_ALL, OWN_CHECKED };

/* Words of shadow memory that differ from the mark. */
static inline uint64_t differences(const uint64_t *word, const uint64_t *end, uint64_t mark)
{
        const bytes_pair marks = {mark, mark};
        bytes_pair even = {0, 0}, odd = {0, 0};
        uint64_t differs = 0;

        for (; end - word >= 4; word += 4) {
                even |= *(const bytes_pair *)word ^ marks;
                odd |= *(const bytes_pair *)(word + 2) ^ marks;
        }
        even |= odd;
        for (; word < end; word++)
                differs |= *word ^ mark;
        return differs | even[0] | even[1];
}

static inline enum own owned(uint64_t mark, const void *p, size_t n)
{
        uintptr_t at = (uintptr_t)p & ~(uintptr_t)7, last = ((uintptr_t)p + n - 1) & ~(uintptr_t)7;
        const uint64_t *end;
        uint64_t mark_of_last;

        if (!n || !p)
                return OWN_ALL;
        if (last < at || !shadow_is_flat(at) || at >> 40 != last >> 40)
                return OWN_NOT;
        end = shadow_flat_at(last);
        if (RT_MARK(differences(shadow_flat_at(at), end, mark)))
                return OWN_NOT;
        mark_of_last = RT_MARK(*end);
        if (shadow_known(mark_of_last, mark) > (((uintptr_t)p + n - 1) & 7))
                return OWN_ALL;
        return (mark_of_last & ~(uint64_t)RT_KNOWN) == (mark | RT_SLOW) ? OWN_CHECKED : OWN_NOT;
}

/* Is t neither followed nor out of patience, so that what it does to its own memory needs nothing? */
static inline bool is_free(const struct thread *t)
{
        return t->fast_mark != RT_MARK_NONE && RT_NOW->left >= 1 && !torn_open && !t->unsaid && !mm_is_weak() &&
               !(t->section.ignored | t->marks.trust_depth | rt.down->n_ignored);
}

bool own_parts(struct thread *t, const struct access_part *part, unsigned n, uintptr_t site)
{
        uint32_t checked = 0;

        if (!is_free(t))
                return false;
        for (unsigned i = 0; i < n; i++) {
                enum own how = owned(t->fast_mark, part[i].addr, part[i].size);

                if (how == OWN_NOT)
                        return false;
                checked |= (uint32_t)(how == OWN_CHECKED) << i;
        }
        for (unsigned i = 0; checked; i++, checked >>= 1)
                if (checked & 1)
                        memory_check(t, part[i].op, (uintptr_t)part[i].addr, part[i].size, site);
        return true;
}

static inline bool is_own(uint64_t mark, uint32_t op, const void *p, size_t n)
{
        return owned(mark, p, n) == OWN_ALL || (op == OP_READ && rt_is_constant((uintptr_t)p, n));
}

bool own_two(const void *a, size_t n, uint32_t op, const void *b, size_t m, uint32_t steps, uintptr_t site)
{
        struct thread *t = rt_cur;

        if (!is_free(t) || !is_own(t->fast_mark, OP_READ, a, n) || !is_own(t->fast_mark, op, b, m))
                return false;
        t->pend.site = t->stack.via ? t->stack.via : site;
        position_step(t, steps ? steps : 1);
        return true;
}
