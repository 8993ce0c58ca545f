/*
 * See sites.h.  The explorer finds them (program/assembly.c); each keeps its number.
 *
 * Invariant: in `sites`, those before main are by address, and so are those of each later module (wire_later).  A module that is
 * loaded again is as its file has it, so its instructions are overwritten again.
 */
#include "rt/arch/x86_64/sites.h"

#include "base/search.h"
#include "rt/arch/x86_64/patch.h"
#include "rt/fault.h"
#include "rt/map.h"
#include "rt/rt.h"
#include "rt/util.h"

static struct wire_locked *sites; /* a copy, since a child of the program has no wire */
static uintptr_t *nexts;          /* where to continue after each */
static uint32_t n_first;          /* those before main */
static struct group {
        uint32_t first, n;
} groups[WIRE_MAX_LATER]; /* those of modules that were loaded later; n is 0 if it was not */

const struct wire_locked *site_at(uint32_t number, uintptr_t *next)
{
        *next = nexts[number];
        return &sites[number];
}

static bool find_in(uint32_t first, uint32_t n, uintptr_t pc, uint32_t *number)
{
        uint32_t at = first + SEARCH(i, n, sites[first + i].addr < pc);

        *number = at;
        return at < first + n && sites[at].addr == pc;
}

bool site_find(uintptr_t pc, uint32_t *number)
{
        if (find_in(0, n_first, pc, number))
                return true;
        for (uint32_t i = 0; i < WIRE_MAX_LATER; i++)
                if (groups[i].n && find_in(groups[i].first, groups[i].n, pc, number))
                        return true;
        return false;
}

static void overwrite(uint32_t i)
{
        nexts[i] = 0;
        if (sites[i].slot)
                nexts[i] = patch_slot(&sites[i], i);
        else if (rt.down->isolate != WIRE_ISOLATE_DEBUG) /* breakpoints must find the instructions that they are at */
                nexts[i] = patch_jump(&sites[i], i);
        if (nexts[i])
                return;
        if (sites[i].slot)
                rt_fault("calls of the program cannot be watched: there is no room near it");
        nexts[i] = sites[i].kind < WIRE_LOCKED_LOAD ? sites[i].addr + sites[i].length : patch_copy(&sites[i], i);
        if (!nexts[i])
                rt_fault("the inline assembly of the program cannot be watched: there is no room near it");
        patch_trap(&sites[i]);
}

void sites_init(void)
{
        uint32_t n = rt.down->n_locked < WIRE_MAX_LOCKED ? rt.down->n_locked : WIRE_MAX_LOCKED;

        if (rt.down->n_later)
                n = rt.down->later[0].first;
        sites = rt_map(WIRE_MAX_LOCKED * sizeof *sites);
        nexts = rt_map(WIRE_MAX_LOCKED * sizeof *nexts);
        rt_copy(sites, rt.down->locked, n * sizeof *sites);
        n_first = n;
        for (uint32_t i = 0; i < n; i++) {
                rt.foreign |= sites[i].foreign != 0;
                overwrite(i);
        }
}

void sites_load(uint32_t later)
{
        const struct wire_later *l = &rt.down->later[later];

        if (!l->n || patch_is_done(&rt.down->locked[l->first], l->first))
                return;
        rt_copy(&sites[l->first], &rt.down->locked[l->first], l->n * sizeof *sites);
        groups[later] = (struct group){l->first, l->n};
        for (uint32_t i = l->first; i < l->first + l->n; i++) {
                rt.foreign |=
                        sites[i].foreign != 0 && !rt.live; /* so that each execution starts threads in the same way */
                overwrite(i);
        }
}
