/* What x86.c and announced_scan.c share of the decoder. */
#ifndef HEDDLE_BINARY_X86_DECODE_H
#define HEDDLE_BINARY_X86_DECODE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

/* Bits of `actions` of an operand. */
#define X86_READS  (ZYDIS_OPERAND_ACTION_READ | ZYDIS_OPERAND_ACTION_CONDREAD)
#define X86_WRITES (ZYDIS_OPERAND_ACTION_WRITE | ZYDIS_OPERAND_ACTION_CONDWRITE)

/* The memory that it names is not accessed. */
bool x86_is_harmless(const ZydisDecodedInstruction *i);

#endif
