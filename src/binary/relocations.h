/* The relocations by which a module reaches functions of others. */
#ifndef HEDDLE_BINARY_RELOCATIONS_H
#define HEDDLE_BINARY_RELOCATIONS_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* One that names a dynamic symbol; false: stop. */
typedef bool relocations_take(void *arg, const char *name, const GElf_Rela *r, const GElf_Sym *symbol);

/* Calls f for each of an ELF file.  false: f has stopped it. */
bool relocations_each(Elf *elf, relocations_take *f, void *arg);

#endif
