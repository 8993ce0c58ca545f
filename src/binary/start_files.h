/* Code that the compiler and the linker put into every program: start files, tables of jumps, padding. */
#ifndef HEDDLE_BINARY_START_FILES_H
#define HEDDLE_BINARY_START_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it a function of the start files of the compiler, or of libc's part that is linked statically, by its name? */
bool start_files_function(const char *name);

/* Is this the mark that is before a function of the instrumenter (instrument/clone.h)? */
#define START_FILES_MARK 16u
bool start_files_mark(const uint8_t *code, size_t size);

/* Does a section of this name hold nothing else? */
bool start_files_section(const char *name);

/* How many bytes from here on are padding, or functions of the start files, by their bytes: in a stripped program they have
 * neither names nor unwind tables.  `addr` is the address of the code. */
size_t start_files_skip(const uint8_t *code, size_t size, uint64_t addr);

#endif
