/*
 * The variables of a function that are in its frame, from DWARF, for liveness.c: a pointer to one of them leads nowhere else.
 *
 * Known where the frame base is the canonical frame address, rbp or rsp.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>

#include "binary/liveness_code.h"
#include "binary/types.h"

#define DEPTH 32 /* of scopes */

struct search {
        const struct liveness_code *f;
        struct liveness_object *out;
        uint32_t n, room;
        enum liveness_base of; /* of DW_OP_fbreg ... */
        int64_t base;          /* ... and what is added */
};

static bool take_base(struct search *s, Dwarf_Die *function)
{
        Dwarf_Attribute attr;
        Dwarf_Op *op;
        size_t n;

        if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) || dwarf_getlocation(&attr, &op, &n) || n != 1)
                return false;
        s->base = op[0].atom == DW_OP_call_frame_cfa ? 8 : 0;
        s->of = op[0].atom == DW_OP_reg6 ? LIVENESS_RBP : op[0].atom == DW_OP_reg7 ? LIVENESS_RSP : LIVENESS_ENTRY;
        return s->of != LIVENESS_ENTRY || op[0].atom == DW_OP_call_frame_cfa;
}

static void take_variable(struct search *s, Dwarf_Die *die)
{
        Dwarf_Attribute attr;
        Dwarf_Die type;
        Dwarf_Op *op;
        uint64_t size;
        int64_t lo;
        size_t n;

        if (s->n == s->room || !dwarf_attr_integrate(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &op, &n) ||
            n != 1 || op[0].atom != DW_OP_fbreg || !type_of_die(die, &type))
                return;
        size = type_size(&type);
        lo = s->base + (int64_t)op[0].number;
        if (size && size < 1 << 20 && lo > -(1 << 20) && lo < 1 << 20)
                s->out[s->n++] = (struct liveness_object){(int32_t)lo, (int32_t)(lo + (int64_t)size), s->of,
                                                          dwarf_tag(&type) == DW_TAG_array_type};
}

static void take_scope(struct search *s, Dwarf_Die *scope, int depth)
{
        Dwarf_Die die;

        if (depth == DEPTH || dwarf_child(scope, &die))
                return;
        do {
                int tag = dwarf_tag(&die);

                if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
                        take_variable(s, &die);
                else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
                        take_scope(s, &die, depth + 1);
        } while (dwarf_siblingof(&die, &die) == 0);
}

static int take_function(Dwarf_Die *die, void *arg)
{
        struct search *s = arg;

        if (dwarf_haspc(die, s->f->lo) != 1)
                return DWARF_CB_OK;
        if (take_base(s, die))
                take_scope(s, die, 0);
        return DWARF_CB_ABORT;
}

uint32_t liveness_objects(Elf *elf, const struct liveness_code *f, struct liveness_object *out, uint32_t room)
{
        struct search s = {.f = f, .out = out, .room = room};
        Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
        Dwarf_CU *unit = NULL;
        Dwarf_Die die;
        bool found = dwarf && dwarf_addrdie(dwarf, f->lo, &die) && dwarf_getfuncs(&die, take_function, &s, 0) != 0;

        /* Without an index of addresses.  A unit that names its code and does not have this function is skipped. */
        while (!found && dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
                found = dwarf_haspc(&die, f->lo) != 0 && dwarf_getfuncs(&die, take_function, &s, 0) != 0;
        dwarf_end(dwarf);
        return s.n;
}
