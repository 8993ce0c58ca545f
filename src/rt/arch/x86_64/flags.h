/*
 * The flags that updates of memory leave behind, by their definition; operands are the low bytes of 64-bit words.
 */
#ifndef HEDDLE_RT_ARCH_X86_64_FLAGS_H
#define HEDDLE_RT_ARCH_X86_64_FLAGS_H

#include <stdint.h>

#define FLAG_CF  UINT64_C(0x001)
#define FLAG_PF  UINT64_C(0x004)
#define FLAG_AF  UINT64_C(0x010)
#define FLAG_ZF  UINT64_C(0x040)
#define FLAG_SF  UINT64_C(0x080)
#define FLAG_OF  UINT64_C(0x800)
#define FLAG_DF  UINT64_C(0x400) /* none of those that instructions here set */
#define FLAG_ALL (FLAG_CF | FLAG_PF | FLAG_AF | FLAG_ZF | FLAG_SF | FLAG_OF)

static inline uint64_t flags_mask(uint32_t size)
{
        return size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1;
}

static inline uint64_t flags_bit(uint64_t condition, uint64_t flag)
{
        return condition ? flag : 0;
}

/* Those that every result has. */
static inline uint64_t flags_of(uint32_t size, uint64_t result)
{
        uint64_t top = UINT64_C(1) << (8 * size - 1);

        return flags_bit(!(result & flags_mask(size)), FLAG_ZF) | flags_bit(result & top, FLAG_SF) |
               flags_bit(!__builtin_parity((unsigned)(result & 0xff)), FLAG_PF);
}

static inline uint64_t flags_add(uint32_t size, uint64_t a, uint64_t b)
{
        uint64_t mask = flags_mask(size), r = (a + b) & mask, top = UINT64_C(1) << (8 * size - 1);

        return flags_of(size, r) | flags_bit(r < (a & mask), FLAG_CF) | flags_bit((a ^ b ^ r) & 0x10, FLAG_AF) |
               flags_bit(~(a ^ b) & (a ^ r) & top, FLAG_OF);
}

static inline uint64_t flags_sub(uint32_t size, uint64_t a, uint64_t b)
{
        uint64_t mask = flags_mask(size), r = (a - b) & mask, top = UINT64_C(1) << (8 * size - 1);

        return flags_of(size, r) | flags_bit((a & mask) < (b & mask), FLAG_CF) |
               flags_bit((a ^ b ^ r) & 0x10, FLAG_AF) | flags_bit((a ^ b) & (a ^ r) & top, FLAG_OF);
}

#endif
