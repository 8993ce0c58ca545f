/* See access_at.h. */
#include "rt/arch/x86_64/access_at.h"

#include <stdbool.h>

#include "rt/loops/registers.h"
#include "rt/memory/access.h"
#include "rt/memory/shadow.h"
#include "rt/position.h"
#include "wire/inline.h"

#define RBX 3
#define RSP 4 /* as it is behind the call */
#define RBP 5
#define R10 10
#define R11 11
#define R12 12

#define PREFIX_B 1u
#define PREFIX_X 2u

struct at {
        uint32_t base, index; /* registers */
        uint32_t word;
};

typedef uint32_t unaligned_word __attribute__((aligned(1), may_alias));

static inline uintptr_t site_of(const uint64_t *reg)
{
        return *(const uint64_t *)(reg[RSP] - 8);
}

/* PREFIX 0f 1f 84 INDEX*8+BASE WORD */
static inline struct at decode(uintptr_t site)
{
        const uint8_t *p = (const uint8_t *)site;

        return (struct at){(p[4] & 7u) | (p[0] & PREFIX_B) << 3, (p[4] >> 3 & 7u) | (p[0] & PREFIX_X) << 2,
                           *(const unaligned_word *)(p + 5)};
}

static inline uint32_t kind(struct at at)
{
        return at.word & WIRE_AT_KIND;
}

static inline uintptr_t address(struct at at, const uint64_t *reg)
{
        uint32_t behind = at.word >> WIRE_AT_BEHIND & (2 * WIRE_AT_NEAR - 1);

        if (!(at.word & WIRE_AT_SHADOW))
                return reg[at.base];
        return (reg[at.base] ^ WIRE_SHADOW_FLIP) + behind - WIRE_AT_NEAR;
}

/* Is there nothing to be done, because the thread owns the part of a granule that a block ends in? */
static inline bool is_end(struct at at, const uint64_t *reg)
{
        uintptr_t a = address(at, reg);
        const uint64_t *s;

        if (kind(at) > 3)
                return false;
        s = shadow_peek(a);
        return s && (a & 7) + (1u << kind(at)) <= shadow_known(RT_MARK(*s), RT_NOW->mark);
}

/* What spin detection compares; what counts is not a part of it, nor is the mark. */
static void note(const uint64_t *reg, uintptr_t site, bool counts, bool compares)
{
        for (uint32_t i = 0; i < 16; i++)
                spin_scratch[i] = reg[i];
        if (counts)
                spin_scratch[R10] = 0;
        if (compares)
                spin_scratch[R11] = 0;
        spin_scratch[16] = spin_scratch[17] = 0;
        spin_regs[0] = spin_scratch[RBX];
        spin_regs[1] = spin_scratch[RBP];
        for (uint32_t i = 0; i < 4; i++)
                spin_regs[2 + i] = spin_scratch[R12 + i];
        spin_regs[6] = reg[RSP] - 8;
        spin_regs[7] = spin_kept = site;
}

static uint32_t info_of(struct at at)
{
        switch (kind(at)) {
        case WIRE_AT_LOOK: return 0;
        case WIRE_AT_LEAVE: return WIRE_INLINE_LEAVE;
        case WIRE_AT_ENTER: return WIRE_INLINE_ENTER;
        }
        return 1u << kind(at) | (at.word & WIRE_AT_WRITE ? WIRE_INLINE_WRITE : 0) |
               (at.word >> WIRE_AT_REST & WIRE_AT_MOST) << WIRE_INLINE_REST;
}

static struct wire_call nowhere; /* nobody reads it */

void access_at(uint64_t *reg)
{
        uintptr_t site = site_of(reg);
        struct at at = decode(site);
        bool counts = at.index == R10, compares = kind(at) <= 3;

        if (is_end(at, reg))
                return;
        note(reg, site, counts, compares);
        if (counts)
                RT_NOW->left = (int64_t)reg[R10];
        RT_NOW->address = address(at, reg);
        RT_NOW->info = info_of(at);
        access_inline(site);
        if (counts)
                reg[R10] = (uint64_t)RT_NOW->left;
        if (compares) {
                reg[R11] = RT_NOW->mark;
        } else if (kind(at) == WIRE_AT_ENTER) {
                reg[R10] = (uintptr_t)&nowhere;
                reg[R11] = RT_NOW->n_calls - 1;
        }
}
