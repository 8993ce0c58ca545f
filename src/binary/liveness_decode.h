/* The instructions of a function, as far as liveness.c needs them. */
#ifndef HEDDLE_BINARY_LIVENESS_DECODE_H
#define HEDDLE_BINARY_LIVENESS_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "binary/liveness_code.h"
#include "binary/x86_decode.h"

#define MAX_CODE 20000u /* instructions */
#define NONE     UINT32_MAX

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R12 = 12, R15 = 15, REGS };

#define BIT(r)    (UINT32_C(1) << (r))
#define KEPT      (BIT(RBX) | BIT(RSP) | BIT(RBP) | UINT32_C(0xf000)) /* by calls */
#define ARGUMENTS (BIT(RDI) | BIT(RSI) | BIT(RDX) | BIT(RCX) | BIT(R8) | BIT(R9))
#define ALL       UINT32_C(0xffff)
#define FLAGS     BIT(REGS) /* beside the registers: status flags */

enum flow { NEXT, JUMP, BRANCH, CALL, LEAVES };

struct access {
        int8_t base; /* -1: not a general register */
        bool indexed, reads, writes, kills;
        int32_t offset;
        uint32_t size;
};

struct insn {
        uint64_t addr;
        uint32_t target; /* index, NONE: outside */
        uint32_t use, def;
        uint32_t writes; /* registers that it changes, as a whole or in part, and FLAGS */
        uint32_t bases;
        uint32_t leak; /* registers whose value it takes to where that is not followed */
        uint16_t mnemonic;
        uint8_t length, flow;
        uint8_t call;         /* enum liveness_call */
        uint32_t cas;         /* bytes */
        int8_t to, from;      /* of a copy: registers; from -1: none */
        int32_t add;          /* ... what is added on the way */
        int8_t stores, loads; /* a register that is copied to or from memory as a whole, -1: none */
        bool pushes, pops, string;
        bool begins;   /* a transaction: the next one follows, or the target with a status in rax */
        bool computes; /* does nothing but to change registers, flags and memory that it names, and cannot fail */
        uint8_t n_accesses;
        struct access accesses[2];
};

/* Is it a call that is like an instruction? */
static inline bool is_kept(const struct insn *i)
{
        return i->flow == CALL && i->call == LIVENESS_KEEPS;
}

/* Decodes at most `room` instructions.  false: the code cannot be understood. */
bool liveness_decode(const struct liveness_code *f, struct insn *code, uint32_t room, uint32_t *n);

/* Makes the places of all objects offsets from the stack pointer at entry, as far as the prologue says; others are dropped. */
uint32_t liveness_place(const struct insn *code, uint32_t n, struct liveness_object *objects, uint32_t n_objects);

/* The instruction at this address, NONE: there is none. */
uint32_t liveness_index(const struct insn *code, uint32_t n, uint64_t addr);

#endif
