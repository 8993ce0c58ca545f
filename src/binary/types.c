/*
 * The parts of a type as DWARF tells them.  Nothing here loops on damaged input: every walk is bounded
 * or follows siblings, which libdw keeps inside the section.
 */
#include "binary/types.h"

#include <ctype.h>
#include <dwarf.h>

#define MAX_DEPTH 64 /* of typedefs and qualifiers */

/* Follows typedefs and qualifiers; false: void, or damaged. */
static bool peel(Dwarf_Die *type)
{
        for (int i = 0; i < MAX_DEPTH; i++) {
                Dwarf_Attribute attr;
                Dwarf_Die next;
                switch (dwarf_tag(type)) {
                case DW_TAG_typedef:
                case DW_TAG_const_type:
                case DW_TAG_volatile_type:
                case DW_TAG_restrict_type:
                case DW_TAG_atomic_type:
                        if (!dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &attr), &next))
                                return false;
                        *type = next;
                        break;
                default: return true;
                }
        }
        return false;
}

bool type_of_die(Dwarf_Die *die, Dwarf_Die *type)
{
        Dwarf_Attribute attr;

        return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), type) && peel(type);
}

uint64_t type_size(Dwarf_Die *type)
{
        Dwarf_Word size = 0;

        return dwarf_aggregate_size(type, &size) ? 0 : size;
}

bool type_is_struct(Dwarf_Die *type)
{
        int tag = dwarf_tag(type);

        return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool type_is_member(Dwarf_Die *die)
{
        int tag = dwarf_tag(die);
        Dwarf_Attribute attr;

        if (dwarf_hasattr(die, DW_AT_external) || dwarf_attr(die, DW_AT_declaration, &attr))
                return false;
        return tag == DW_TAG_member || tag == DW_TAG_inheritance;
}

uint64_t type_member_offset(Dwarf_Die *die)
{
        Dwarf_Attribute attr;
        Dwarf_Word n;

        if (dwarf_formudata(dwarf_attr(die, DW_AT_data_member_location, &attr), &n) == 0)
                return n;
        if (dwarf_formudata(dwarf_attr(die, DW_AT_data_bit_offset, &attr), &n) == 0)
                return n / 8;
        return 0;
}

bool type_is_reserved(const char *name)
{
        return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

uint32_t type_dimensions(Dwarf_Die *array, uint64_t *counts, uint32_t max)
{
        Dwarf_Die die;
        uint32_t n = 0;

        if (dwarf_child(array, &die))
                return 0;
        do {
                Dwarf_Attribute attr;
                Dwarf_Word count = 0;
                if (dwarf_tag(&die) != DW_TAG_subrange_type || n == max)
                        continue;
                if (dwarf_formudata(dwarf_attr_integrate(&die, DW_AT_count, &attr), &count) &&
                    dwarf_formudata(dwarf_attr_integrate(&die, DW_AT_upper_bound, &attr), &count) == 0)
                        count++;
                counts[n++] = count;
        } while (dwarf_siblingof(&die, &die) == 0);
        return n;
}
