/*
 * A decoder for the few instructions that compilers put between two hooks of one statement: moves, address computations and
 * calls.  Both a store and an instruction that is not known end it.
 */
#include "rt/arch/x86_64/between.h"

#include <stddef.h>

#define MOST 96u /* bytes between a hook and its store */

enum shape { UNKNOWN, REPEATED, PLAIN, LOAD, STORE, IMM8, IMM32, CALL, GROUP8, GROUP32 };

static enum shape shape_of(uint8_t op)
{
        switch (op) {
        case 0x90:
        case 0x98:
        case 0x99: return PLAIN;
        case 0x03:
        case 0x0b:
        case 0x23:
        case 0x2b:
        case 0x33:
        case 0x39:
        case 0x3b:
        case 0x63:
        case 0x84:
        case 0x85:
        case 0x8a:
        case 0x8b:
        case 0x8d: return LOAD;
        case 0x01:
        case 0x09:
        case 0x21:
        case 0x29:
        case 0x31:
        case 0x88:
        case 0x89:
        case 0xd1:
        case 0xd3: return STORE;
        case 0x6b: return IMM8;
        case 0x69: return IMM32;
        case 0x83:
        case 0xc1:
        case 0xc6: return GROUP8;
        case 0x81:
        case 0xc7: return GROUP32;
        case 0xa4:
        case 0xa5:
        case 0xaa:
        case 0xab: return REPEATED; /* movs, stos */
        case 0xe8: return CALL;
        }
        return op >= 0x50 && op <= 0x5f ? PLAIN : UNKNOWN;
}

static enum shape shape_of_long(uint8_t op)
{
        switch (op) {
        case 0x11:
        case 0x13:
        case 0x17:
        case 0x29:
        case 0x7f:
        case 0xc3:
        case 0xd6:
        case 0xe7: return STORE;
        case 0x10:
        case 0x12:
        case 0x16:
        case 0x1f:
        case 0x28:
        case 0x57:
        case 0x6e:
        case 0x6f:
        case 0xaf:
        case 0xb6:
        case 0xb7:
        case 0xbe:
        case 0xbf:
        case 0xef: return LOAD;
        }
        return UNKNOWN;
}

/* The bytes of a ModRM operand, itself included. */
static size_t operand(const uint8_t *p)
{
        uint8_t mod = *p >> 6, rm = *p & 7;
        size_t n = 1 + (mod == 1 ? 1 : mod == 2 ? 4 : 0);

        if (mod == 3)
                return 1;
        if (rm == 4)
                return n + 1 + (mod == 0 && (p[1] & 7) == 5 ? 4 : 0);
        return n + (mod == 0 && rm == 5 ? 4 : 0);
}

/* Is the operand memory of the frame: above rsp, or below rbp?  `more`: the registers are others (REX.B). */
static bool in_frame(const uint8_t *p, bool more)
{
        uint8_t mod = *p >> 6, rm = *p & 7;

        if (more || mod == 3)
                return false;
        if (rm == 4)
                return (p[1] & 7) == 4;
        return rm == 5 && ((mod == 1 && p[1] & 0x80) || (mod == 2 && p[4] & 0x80));
}

/* 81 and 83: cmp only reads. */
static bool is_cmp(uint8_t op, uint8_t modrm)
{
        return (op == 0x81 || op == 0x83) && (modrm >> 3 & 7) == 7;
}

/* `calls`: it goes on after a call; `frame`: memory of the frame counts. */
static bool stores(const uint8_t *p, const uint8_t *end, bool calls, bool frame)
{
        while (p < end) {
                bool wide = false, more = false;
                enum shape s;
                uint8_t op;

                while (*p == 0x66 || *p == 0xf2 || *p == 0xf3)
                        p++;
                if ((*p & 0xf0) == 0x40) {
                        wide = (*p & 8) != 0;
                        more = (*p++ & 1) != 0;
                }
                op = *p++;
                if (op >= 0xb8 && op <= 0xbf) {
                        p += wide ? 8 : 4;
                        continue;
                }
                s = op == 0x0f ? shape_of_long(*p++) : shape_of(op);
                if (op == 0xff && *p == 0x15) { /* call *x(%rip) */
                        if (!calls)
                                return false;
                        s = LOAD;
                }
                if (s == REPEATED)
                        return true;
                if (s == UNKNOWN || (s == CALL && !calls))
                        return false;
                if (s == PLAIN || s == CALL) {
                        p += s == CALL ? 4 : 0;
                        continue;
                }
                if ((s == STORE || s == GROUP8 || s == GROUP32) && *p >> 6 != 3 && !is_cmp(op, *p) &&
                    (frame || !in_frame(p, more)))
                        return true;
                p += operand(p) + (s == IMM8 || s == GROUP8 ? 1 : s == IMM32 || s == GROUP32 ? 4 : 0);
        }
        return false;
}

bool code_stores(uintptr_t from, uintptr_t to)
{
        return stores((const uint8_t *)from, (const uint8_t *)to, true, true);
}

bool code_stores_next(uintptr_t from, bool frame)
{
        return stores((const uint8_t *)from, (const uint8_t *)from + MOST, false, frame);
}
