/*
 * `heddle cc --keep-ir`: the module as the instrumenter sees it, in a section of the object that is not loaded.
 *
 *      .debug_heddle_ir        "heddleIR"; 4 bytes: version of the format, 1; 4 bytes: major version of LLVM; 8 bytes: length
 *                              of the bitcode; 8 bytes: its FNV-1a hash; the bitcode, padded to 16 bytes
 *
 * A program has the records of all its objects, one after the other (docs/FORMATS.md).
 */
#ifndef HEDDLE_INSTRUMENT_KEEP_H
#define HEDDLE_INSTRUMENT_KEEP_H

#include <llvm-c/Core.h>

/* The text for the assembler; the caller frees it. */
char *keep_section(LLVMModuleRef module);

#endif
