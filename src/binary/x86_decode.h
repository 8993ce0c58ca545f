/* What the files share that decode instructions. */
#ifndef HEDDLE_BINARY_X86_DECODE_H
#define HEDDLE_BINARY_X86_DECODE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

/* Bits of `actions` of an operand. */
#define X86_READS  (ZYDIS_OPERAND_ACTION_READ | ZYDIS_OPERAND_ACTION_CONDREAD)
#define X86_WRITES (ZYDIS_OPERAND_ACTION_WRITE | ZYDIS_OPERAND_ACTION_CONDWRITE)

/* The memory that it names is not accessed. */
bool x86_is_harmless(const ZydisDecodedInstruction *i);

/* xend and xabort, which the decoder calls jumps: the next instruction follows.  An abort continues where its xbegin says. */
static inline bool x86_ends_transaction(const ZydisDecodedInstruction *i)
{
        return i->mnemonic == ZYDIS_MNEMONIC_XEND || i->mnemonic == ZYDIS_MNEMONIC_XABORT;
}

#endif
