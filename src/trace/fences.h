/* Fences of inline assembly and intrinsics, which no compiler announces. */
#ifndef HEDDLE_TRACE_FENCES_H
#define HEDDLE_TRACE_FENCES_H

#include <stdbool.h>
#include <stddef.h>

/* Is there one in the code of this ELF file?  Then `text` says which and where: "mfence in main()". */
bool fences_find(const char *path, char *text, size_t size);

#endif
