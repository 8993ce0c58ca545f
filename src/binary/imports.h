/*
 * Functions that a module calls in other modules: the slots of its global offset table that lead there, and which module
 * defines each.
 */
#ifndef HEDDLE_BINARY_IMPORTS_H
#define HEDDLE_BINARY_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "wire/locked.h"

#define IMPORT_UNKNOWN UINT32_MAX

struct import {
        char *name;
        uint64_t slot;    /* in the target */
        uint32_t definer; /* index of a module, as the caller counts them, or IMPORT_UNKNOWN */
};

struct imports {
        VEC(struct import) all;
};

/* Adds those of an ELF file that is loaded with this bias.  A file that cannot be read has none.  0, or -1: out of memory. */
int imports_add(struct imports *m, const char *path, uint64_t base);

/* After the last imports_add(), for each module in the order of the loader: those that are not defined yet and that this file
 * defines are its own. */
void imports_define(struct imports *m, const char *path, uint32_t definer);

/* The address of a symbol that a file, loaded with this bias, defines for others; 0: it defines none of this name. */
uint64_t imports_address(const char *path, uint64_t base, const char *name);

void imports_fini(struct imports *m);

/* How a function of the C++ library prints to a stream.  The name is mangled. */
enum wire_output imports_output(const char *name);

/* Is the effect of this function of the C++ library modelled, or none on the program's own objects?  The name is mangled. */
bool imports_is_modelled(const char *name);

#endif
