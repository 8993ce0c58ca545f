/*
 * Inline assembly is marked: a label before and behind each block, and the addresses of both in a section that the explorer
 * reads (binary/asm_scan.h), as the assembler of `heddle cc` does it for other compilers (cli/cc/assembler.c):
 *
 *      .debug_heddle_asm       8 bytes: begin of a block, 8 bytes: its end, ...
 */
#ifndef HEDDLE_INSTRUMENT_ASSEMBLY_H
#define HEDDLE_INSTRUMENT_ASSEMBLY_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Marks the blocks of all functions, and the file's own.  Was there any? */
bool assembly_mark(LLVMModuleRef module);

#endif
