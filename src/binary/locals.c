/*
 * Names of variables on stacks.
 *
 * The trace tells the frame pointer of the function that an address belongs to (struct wire_local).  That names a variable
 * where the frame base of the function in DWARF is the frame pointer, or its canonical frame address is known to be the
 * frame pointer and a constant: in code that was compiled without optimisation.  An address that was several variables
 * in the course of an execution has no name.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "binary/modules.h"
#include "binary/symbols.h"
#include "binary/types.h"

#define FRAME_POINTER 6 /* rbp in DWARF's numbering for x86-64 */

struct frame {
        Dwfl_Module *module;
        uint64_t pc;   /* in the function, as in the target */
        uint64_t bias; /* of the module's DWARF */
        uint64_t pointer;
};

/* The canonical frame address at pc. */
static bool frame_address(const struct frame *f, uint64_t *addr)
{
        Dwarf_Addr bias = 0;
        Dwarf_CFI *cfi = dwfl_module_eh_cfi(f->module, &bias);
        Dwarf_Frame *frame = NULL;
        Dwarf_Op *op;
        size_t n;
        bool known = cfi && dwarf_cfi_addrframe(cfi, f->pc - bias, &frame) == 0 &&
                     dwarf_frame_cfa(frame, &op, &n) == 0 && n == 1 && op[0].atom == DW_OP_bregx &&
                     op[0].number == FRAME_POINTER;

        if (known)
                *addr = f->pointer + op[0].number2;
        free(frame);
        return known;
}

static bool frame_base(const struct frame *f, Dwarf_Die *function, uint64_t *base)
{
        Dwarf_Attribute attr;
        Dwarf_Op *op;
        size_t n;

        if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) || dwarf_getlocation(&attr, &op, &n) || n != 1)
                return false;
        if (op[0].atom == DW_OP_reg0 + FRAME_POINTER) {
                *base = f->pointer;
                return true;
        }
        return op[0].atom == DW_OP_call_frame_cfa && frame_address(f, base);
}

/* The variable or parameter of this scope that covers the address. */
static bool in_scope(Dwarf_Die *scope, uint64_t base, uint64_t addr, struct strbuf *out)
{
        Dwarf_Attribute attr;
        Dwarf_Die die, type;
        Dwarf_Op *op;
        size_t n;

        if (dwarf_child(scope, &die))
                return false;
        do {
                int tag = dwarf_tag(&die);
                const char *name = dwarf_diename(&die);

                if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || !name ||
                    !dwarf_attr_integrate(&die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &op, &n) || n != 1 ||
                    op[0].atom != DW_OP_fbreg || !type_of_die(&die, &type))
                        continue;
                uint64_t at = base + op[0].number;
                if (addr - at >= type_size(&type))
                        continue;
                strbuf_puts(out, name);
                describe_part(out, type, addr - at);
                return true;
        } while (dwarf_siblingof(&die, &die) == 0);
        return false;
}

static void find_local(struct symbols *s, const struct wire_local *l, struct strbuf *out)
{
        struct frame f = {.pc = l->site - 1, .pointer = l->base};
        Dwarf_Die *cu, *scopes = NULL;
        uint64_t base;
        int n, function = 0;

        f.module = dwfl_addrmodule(s->dwfl, f.pc);
        cu = f.module ? module_unit(f.module, f.pc, &f.bias) : NULL;
        n = cu ? dwarf_getscopes(cu, f.pc - f.bias, &scopes) : 0;
        while (function < n && dwarf_tag(&scopes[function]) != DW_TAG_subprogram)
                function++;
        if (function < n && frame_base(&f, &scopes[function], &base))
                for (int i = 0; i <= function && !in_scope(&scopes[i], base, l->addr, out); i++)
                        ;
        free(scopes);
}

static void add_local(struct symbols *s, const struct wire_local *l)
{
        struct strbuf b = STRBUF_INIT;
        char *known = ptrmap_find(&s->locals.names, l->addr), *name;

        find_local(s, l, &b);
        name = strbuf_take(&b);
        if (known && (!name || strcmp(known, name) != 0))
                known[0] = 0;
        if (known || !name || ptrmap_insert(&s->locals.names, l->addr, name))
                free(name);
}

void symbols_focus(struct symbols *s, const struct wire_local *locals, uint32_t n)
{
        struct locals *old = s->locals.names.n ? malloc(sizeof *old) : NULL;

        if (s->locals.names.n && !old)
                return; /* out of memory */
        if (old) {
                *old = s->locals;
                s->locals = (struct locals){.old = old};
        }
        for (uint32_t i = 0; i < n; i++)
                add_local(s, &locals[i]);
}

const char *locals_find(const struct locals *l, uint64_t addr)
{
        const char *name = l->names.n ? ptrmap_find(&l->names, addr) : NULL;

        return name && name[0] ? name : NULL;
}

void locals_fini(struct locals *l)
{
        struct locals *old = l->old, *next;

        ptrmap_fini(&l->names, free);
        for (; old; old = next) {
                next = old->old;
                ptrmap_fini(&old->names, free);
                free(old);
        }
}
