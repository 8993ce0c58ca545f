/* The table of granules grows with the execution; a granule stays when the accesses to it are taken back. */
#include "hb/granules.h"

#include <stdlib.h>

/* Grows the table; slots move, so the records' references are renewed. */
static bool grow(struct causality *c)
{
        struct causality_slot *old = c->slots;
        uint32_t n = 1u << c->slot_bits;

        c->slots = calloc((size_t)n * 2, sizeof *c->slots);
        if (!c->slots) {
                c->slots = old;
                return false;
        }
        c->slot_bits++;
        for (uint32_t i = 0; i < n; i++) {
                if (!old[i].granule)
                        continue;
                uint32_t s = granule_slot(c, old[i].granule - 1);
                c->slots[s] = old[i];
                for (uint32_t r = old[i].head; r != CAUSALITY_NONE; r = c->recs.at[r].prev)
                        c->recs.at[r].slot = s;
        }
        free(old);
        return true;
}

bool granule_add(struct causality *c, uint64_t granule, uint32_t *slot)
{
        uint32_t s;

        if (c->n_slots * 2 >= 1u << c->slot_bits && !grow(c))
                return false;
        s = granule_slot(c, granule);
        if (!c->slots[s].granule) {
                c->slots[s].granule = granule + 1;
                c->slots[s].head = CAUSALITY_NONE;
                c->n_slots++;
        }
        *slot = s;
        return true;
}
