/*
 * The parts of a C or C++ type: members, elements, sizes.
 */
#ifndef HEDDLE_BINARY_TYPES_H
#define HEDDLE_BINARY_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* The type of a variable, member or array element, typedefs and qualifiers removed; false: void or unknown. */
bool type_of_die(Dwarf_Die *die, Dwarf_Die *type);

/* In bytes, 0: unknown. */
uint64_t type_size(Dwarf_Die *type);

/* Is it a structure, class or union? */
bool type_is_struct(Dwarf_Die *type);

/* Of a child of a structure: is it a member or base class with a place in it, and where? */
bool type_is_member(Dwarf_Die *die);
uint64_t type_member_offset(Dwarf_Die *die);

/* Is this a name that the language reserves?  Such members belong to the library. */
bool type_is_reserved(const char *name);

/* The elements of an array along its first `max` dimensions; a bound that is not known is 0.  The number of them. */
uint32_t type_dimensions(Dwarf_Die *array, uint64_t *counts, uint32_t max);

#endif
