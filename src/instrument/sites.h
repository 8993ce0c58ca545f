/*
 * The site table: what the source calls the memory of each access.
 */
#ifndef HEDDLE_INSTRUMENT_SITES_H
#define HEDDLE_INSTRUMENT_SITES_H

#include <llvm-c/Core.h>

/* Appends the table of the module to its assembly, as the section .debug_heddle_sites (docs/FORMATS.md).  Called before
 * anything is instrumented; a module without debug information has none. */
void sites_record(LLVMModuleRef module);

#endif
