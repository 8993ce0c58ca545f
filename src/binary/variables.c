/*
 * Names of data: the variables of a module, and the way from an address to its part of one.
 *
 * Invariant: once a module is indexed, its variables are sorted by address and each has a type and a size.  Types are
 * walked by offset, from an address to "s.next[2]", and not into members with reserved names: what a pthread_mutex_t or
 * a std::atomic is made of is not shown.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/strbuf.h"
#include "binary/modules.h"
#include "binary/symbols.h"
#include "binary/types.h"

#define MAX_DEPTH 64 /* of nested types and scopes */

void module_fini(struct module *m)
{
        free(m->vars);
        sites_destroy(m->sites);
}

/* The address of a variable, before the load bias; false: it has none that is fixed (a local, a thread's own). */
static bool address_of(Dwarf_Die *die, uint64_t *addr)
{
        Dwarf_Attribute attr, result;
        Dwarf_Op *op;
        size_t n;

        if (!dwarf_attr_integrate(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &op, &n) || n != 1)
                return false;
        if (op[0].atom == DW_OP_addr) {
                *addr = op[0].number;
                return true;
        }
        Dwarf_Addr a;
        if (op[0].atom != DW_OP_addrx || dwarf_getlocation_attr(&attr, op, &result) || dwarf_formaddr(&result, &a))
                return false;
        *addr = a;
        return true;
}

struct index {
        struct module *module;
        uint64_t bias;
        uint32_t room;
};

static void add_variable(struct index *x, Dwarf_Die *die)
{
        struct module *m = x->module;
        struct variable v = {.name = dwarf_diename(die)};
        Dwarf_Attribute attr;

        if (!v.name || !address_of(die, &v.addr) || !type_of_die(die, &v.type))
                return;
        v.addr += x->bias;
        v.size = type_size(&v.type);
        v.external = dwarf_attr_integrate(die, DW_AT_external, &attr) != NULL;
        if (m->n_vars == x->room) {
                uint32_t room = x->room ? x->room * 2 : 64;
                struct variable *vars = realloc(m->vars, room * sizeof(*vars));
                if (!vars)
                        return;
                m->vars = vars;
                x->room = room;
        }
        m->vars[m->n_vars++] = v;
}

static void add_variables(struct index *x, Dwarf_Die *parent, int depth)
{
        Dwarf_Die die;

        if (depth > MAX_DEPTH || dwarf_child(parent, &die))
                return;
        do {
                switch (dwarf_tag(&die)) {
                case DW_TAG_variable: add_variable(x, &die); break;
                case DW_TAG_namespace:
                case DW_TAG_subprogram:
                case DW_TAG_lexical_block: add_variables(x, &die, depth + 1); break;
                }
        } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_address(const void *a, const void *b)
{
        const struct variable *u = a, *v = b;

        return u->addr < v->addr ? -1 : u->addr > v->addr;
}

void module_index(struct module *m)
{
        struct index x = {.module = m};
        Dwarf_Die *cu = NULL;

        if (m->indexed)
                return;
        m->indexed = true;
        while (!module_is_runtime(m->dwfl) && (cu = dwfl_module_nextcu(m->dwfl, cu, &x.bias)))
                add_variables(&x, cu, 0);
        if (m->n_vars)
                qsort(m->vars, m->n_vars, sizeof(*m->vars), by_address);
}

static const struct variable *variable_at(const struct module *m, uint64_t addr)
{
        uint32_t behind = SEARCH(i, m->n_vars, m->vars[i].addr <= addr);

        if (!behind || addr - m->vars[behind - 1].addr >= m->vars[behind - 1].size)
                return NULL;
        return &m->vars[behind - 1];
}

/* Appends ".member" for the member at *offset and continues there; false: stop at the whole. */
static bool enter_struct(struct strbuf *out, Dwarf_Die *type, uint64_t *offset)
{
        Dwarf_Die die, inner;

        if (dwarf_child(type, &die))
                return false;
        do {
                if (!type_is_member(&die) || !type_of_die(&die, &inner))
                        continue;
                uint64_t at = type_member_offset(&die), size = type_size(&inner);
                const char *name = dwarf_diename(&die);
                if (*offset != at && (*offset < at || *offset - at >= size)) /* a type that is only declared has none */
                        continue;
                if (name && type_is_reserved(name))
                        return false;
                if (name && dwarf_tag(&die) == DW_TAG_member)
                        strbuf_printf(out, ".%s", name);
                *offset -= at;
                *type = inner;
                return true;
        } while (dwarf_siblingof(&die, &die) == 0);
        return false;
}

static bool enter_array(struct strbuf *out, Dwarf_Die *type, uint64_t *offset)
{
        uint64_t counts[8], stride = 0;
        uint32_t n = type_dimensions(type, counts, 8);
        Dwarf_Die inner;

        if (!n || !type_of_die(type, &inner) || !(stride = type_size(&inner)))
                return false;
        uint64_t index = *offset / stride, block = 1;
        for (uint32_t i = 1; i < n; i++)
                block *= counts[i];
        for (uint32_t i = 0; i < n; i++) {
                if (!block)
                        return false;
                strbuf_printf(out, "[%llu]", (unsigned long long)(index / block));
                index %= block;
                block = i + 1 < n && counts[i + 1] ? block / counts[i + 1] : 1;
        }
        *offset %= stride;
        *type = inner;
        return true;
}

void describe_part(struct strbuf *out, Dwarf_Die type, uint64_t offset)
{
        for (int i = 0; i < MAX_DEPTH; i++) {
                bool entered = false;
                if (type_is_struct(&type))
                        entered = enter_struct(out, &type, &offset);
                else if (dwarf_tag(&type) == DW_TAG_array_type)
                        entered = enter_array(out, &type, &offset);
                if (!entered)
                        break;
        }
        if (offset)
                strbuf_printf(out, "+%llu", (unsigned long long)offset);
}

static void find_data(struct symbols *s, uint64_t addr, struct strbuf *out)
{
        Dwfl_Module *dwfl = dwfl_addrmodule(s->dwfl, addr);
        GElf_Sym sym;
        GElf_Off offset;

        for (uint32_t i = 0; dwfl && i < s->n_modules; i++) {
                struct module *m = &s->modules[i];
                if (m->dwfl != dwfl)
                        continue;
                module_index(m);
                const struct variable *v = variable_at(m, addr);
                if (v) {
                        strbuf_puts(out, v->name);
                        describe_part(out, v->type, addr - v->addr);
                        return;
                }
        }
        const char *name = dwfl ? dwfl_module_addrinfo(dwfl, addr, &offset, &sym, NULL, NULL, NULL) : NULL;
        if (!name || GELF_ST_TYPE(sym.st_info) != STT_OBJECT || offset >= sym.st_size)
                return;
        char *pretty = symbols_pretty(name);
        strbuf_puts(out, pretty ? pretty : name);
        free(pretty);
        if (offset)
                strbuf_printf(out, "+%llu", (unsigned long long)offset);
}

const char *symbols_data(struct symbols *s, uint64_t addr)
{
        const char *local = locals_find(&s->locals, addr);
        char *name;

        if (!local)
                local = heap_names_find(s, addr);
        if (local)
                return local;
        name = ptrmap_find(&s->data, addr);
        if (!name) {
                struct strbuf b = STRBUF_INIT;
                find_data(s, addr, &b);
                name = strbuf_take(&b);
                if (!name || ptrmap_insert(&s->data, addr, name)) {
                        free(name);
                        return NULL;
                }
        }
        return name[0] ? name : NULL;
}
